import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { targetFile } from '../../reference/target-file.ts';
import { awcWith, servedReference, temporaryFolder } from '../../testing/try-awc.ts';

const secret = 'secret-of-the-gateway-7f3a';

/** A gateway that lets nothing through without its header, and shows what it got. */
const gateway =
  (reference: Deployment): Deployment =>
  async (request) => {
    const given = request.headers['x-gateway-key'];
    if (given !== `key ${secret}`) {
      return { status: 403, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Forbidden</h1>') };
    }
    const answer = await reference(request);
    return { ...answer, headers: { ...answer.headers, 'x-forwarded-key': given } };
  };

/** The folder of a user whose target file names the header. */
async function folderFor(faults: readonly string[]): Promise<string> {
  const target = await servedReference({ faults, choices: { 'rate-quota': 'none' }, wrap: gateway });
  const folder = await temporaryFolder();
  const text = `${targetFile(target)}headers: { X-Gateway-Key: "key \${GATEWAY_KEY}" }\n`;
  await writeFile(join(folder, 'target.yaml'), text);
  return folder;
}

async function writtenLoad(folder: string, load: string): Promise<string> {
  const path = join(folder, 'short.yaml');
  const rest =
    'operations:\n  listModels: { weight: 1, limits: [5] }\nthresholds: [violations == 0, errors.rate == 0%]\n';
  await writeFile(path, `question: Why?\nload: { ${load} }\nduration: 400ms\n${rest}`);
  return path;
}

const env = { GATEWAY_KEY: secret };
// The thread of a run reads the environment of its process.
beforeAll(() => void vi.stubEnv('GATEWAY_KEY', secret));
afterAll(() => void vi.unstubAllEnvs());

test('a run that finds a fault behind a gateway that wants a header shows no secret', async () => {
  const folder = await folderFor(['later-pages-short']);
  const args = ['--only', 'paging.limit', '--out', join(folder, 'out')];
  const { code, out, err } = await awcWith(env, 'run', join(folder, 'target.yaml'), ...args);
  expect(code, out + err).toBe(1);
  const report = await readFile(join(folder, 'out/report.json'), 'utf8');
  expect(out + err + report).not.toContain(secret);
  expect(JSON.parse(report).checks.find(({ curl }: { curl?: string }) => curl !== undefined).curl).toContain(
    '-H "X-Gateway-Key: key $GATEWAY_KEY"',
  );
});

test('the doctor and a run reach a deployment behind a gateway that wants a header, and show no secret', async () => {
  const folder = await folderFor([]);
  const target = join(folder, 'target.yaml');
  const looked = await awcWith(env, 'doctor', target);
  expect(looked.code, looked.out + looked.err).toBe(0);
  const ran = await awcWith(env, 'run', target, '--only', 'auth.wrong-scheme', '--out', join(folder, 'out'));
  expect(ran.code, ran.out + ran.err).toBe(0);
  const report = await readFile(join(folder, 'out/report.json'), 'utf8');
  expect([looked.out, looked.err, ran.out, ran.err, report].join('')).not.toContain(secret);
});

test.each(['open: { rate: 40 }', 'closed: { connections: 2 }'])(
  'a load reaches a deployment behind a gateway that wants a header, and shows no secret: %s',
  async (load) => {
    const folder = await folderFor([]);
    const profile = await writtenLoad(folder, load);
    const files = ['--profile', profile, '--out', join(folder, 'out')];
    const { code, out, err } = await awcWith(env, 'load', join(folder, 'target.yaml'), ...files);
    // On a busy machine a load has no verdict about latencies.
    const isBusy = out.includes('No verdict, the generator was the bottleneck');
    expect(code, out + err).toBe(isBusy ? 4 : 0);
    expect(out + err + (await readFile(join(folder, 'out/load.json'), 'utf8'))).not.toContain(secret);
  },
);
