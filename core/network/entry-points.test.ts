import { expect, onTestFinished, test } from 'vitest';
import { realClock } from '../clock.ts';
import { createReference } from '../../reference/reference.ts';
import { serveEntryPoints } from '../../reference/http/serve-entry-points.ts';
import { networkTarget } from './entry-points.ts';

test('a request goes to the entry point that it names, or to the first', async () => {
  const reference = createReference({ clock: realClock, seed: 1, faults: ['second-node-has-error-pages'] });
  const { target, close } = await serveEntryPoints(reference, { port: 0, host: '127.0.0.1' });
  onTestFinished(close);
  const network = networkTarget(target);
  onTestFinished(network.close);
  const typeAt = async (baseUrl: string | undefined) => {
    const path = '/api/public/organizations/org_none/models';
    const answer = await network.deployment({ method: 'GET', path, baseUrl, headers: {}, timeoutMs: 5000 });
    return answer.headers['content-type'];
  };
  const [first, second] = target.baseUrls ?? [];
  expect(target.baseUrl).toBe(first);
  expect(await typeAt(undefined)).toContain('json');
  expect(await typeAt(first)).toContain('json');
  expect(await typeAt(second)).toBe('text/html');
});
