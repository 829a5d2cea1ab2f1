import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { targetFile } from '../../reference/target-file.ts';
import { servedReference, startAwc, temporaryFolder } from '../../testing/try-awc.ts';

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

test.each([
  ['doctor', ['doctor'], 0],
  ['run', ['run', '--only', 'auth.wrong-scheme', '--out', 'out'], 0],
  ['run with a fault', ['run', '--only', 'paging.*', '--out', 'out'], 1],
  ['an open load', ['load', '--profile', 'open.yaml', '--out', 'out'], 0],
  ['a closed load', ['load', '--profile', 'closed.yaml', '--out', 'out'], 0],
])('%s reaches a deployment behind a gateway that wants a header, and shows no secret', async (name, args, code) => {
  const faults = name.includes('fault') ? ['later-pages-short'] : [];
  const choices = { 'rate-quota': 'none' };
  const target = await servedReference({ faults, choices, wrap: gateway });
  const cwd = await temporaryFolder();
  const text = `${targetFile(target)}headers: { X-Gateway-Key: "key \${GATEWAY_KEY}" }\n`;
  await writeFile(join(cwd, 'target.yaml'), text);
  for (const load of ['open: { rate: 40 }', 'closed: { connections: 2 }']) {
    const profile = `question: Why?\nload: { ${load} }\nduration: 400ms\noperations:\n  listModels: { weight: 1, limits: [5] }\nthresholds: [violations == 0, errors.rate == 0%]\n`;
    await writeFile(join(cwd, `${load.slice(0, load.indexOf(':'))}.yaml`), profile);
  }
  const [command = '', ...rest] = args;
  const env = { GATEWAY_KEY: secret };
  const ended = await startAwc([command, 'target.yaml', ...rest], { cwd, env }).ended;
  // On a busy machine a load has no verdict about latencies.
  const isBusy = ended.out.includes('No verdict, the generator was the bottleneck');
  expect(ended.code, ended.out + ended.err).toBe(isBusy ? 4 : code);
  const report = args.includes('--out')
    ? await readFile(join(cwd, 'out', command === 'load' ? 'load.json' : 'report.json'), 'utf8')
    : '';
  expect(ended.out + ended.err + report).not.toContain(secret);
  if (code === 1)
    expect(JSON.parse(report).checks.find(({ curl }: { curl?: string }) => curl !== undefined).curl).toContain(
      '-H "x-gateway-key: key $GATEWAY_KEY"',
    );
});
