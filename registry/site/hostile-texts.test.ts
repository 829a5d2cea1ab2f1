import { expect, test } from 'vitest';
import { runFileSchema } from '../../certificates/bundle/run-file-schema.ts';
import { recordSchema } from '../../reports/record/record.ts';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { attacks, everywhere } from '../../testing/try-hostile.ts';
import { submissionOf } from '../../testing/try-registry.ts';
import { createSite } from './site.ts';

const run = runFileSchema.parse({
  format: 'awc-run/1',
  suite: { name: 'x', version: attacks },
  revision: { number: 1, digest: 'x' },
  seed: 1,
  startedAt: '2026-01-15T00:00:00.000Z',
  embedded: false,
  notes: [],
  target: {
    name: attacks,
    baseUrl: attacks,
    principals: [],
    organizations: [],
    billingAccounts: [],
    assistant: { quickPrompt: '', slowPrompt: '', timeoutSeconds: 1 },
    limits: { maxRequestsPerSecond: null, toleranceMs: 1, rateProbeRequests: 1 },
    allow: [],
  },
});

test('no text of a bundle is markup on any page, not even of a bundle that only another suite can judge', () => {
  const site = createSite(Date.UTC(2026, 0, 31));
  const pages = site.add({
    place: { vendor: 'acme', product: 'workspace', version: '1.0' },
    submission: submissionOf('Acme', 'Workspace', '1.0'),
    run,
    record: recordSchema.parse(everywhere(sampleRecord(), attacks)),
    key: 'sha256:0',
    isJudged: false,
    expires: undefined,
    evidence: new Map(),
  });
  for (const { path, text } of [...pages, ...site.end()]) {
    expect(text, path).not.toMatch(/<script>window|<img|onerror="|(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect([...text.matchAll(/<script>/g)].length, path).toBeLessThanOrEqual(1);
  }
});
