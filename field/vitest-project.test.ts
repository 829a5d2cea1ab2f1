import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { expect, inject, onTestFinished, test } from 'vitest';
import { setStage } from './set-stage.ts';
import { start } from './finish.ts';

const suite = `
import * as vitest from 'vitest';
import { conformance } from 'analytics-workspace-conformance/vitest';
const only = ['paging.limit', 'paging.default-limit', 'message.*', 'errors.*'];
await conformance(vitest, 'narrow.yaml', { only, strict: true });
`;

/** Everything in it could spoil the suite: a second try, another order, all at once, little time. */
const config = `
import reporter from './reporter.js';
const sequence = { concurrent: true, shuffle: true };
export default { test: { root: '.', retry: 2, sequence, testTimeout: 50, reporters: [reporter] } };
`;

const reporter = `
import { writeFileSync } from 'node:fs';
const results = [];
export default {
  onTestCaseResult: (test) => {
    const { state, note } = test.result();
    results.push({ name: test.name, state, note, verdict: test.meta().awc?.check.verdict, retries: test.diagnostic()?.retryCount ?? 0 });
  },
  onTestRunEnd: () => writeFileSync('results.json', JSON.stringify(results)),
};
`;

const resultsSchema = z.array(
  z.object({
    name: z.string(),
    state: z.string(),
    note: z.string().optional(),
    verdict: z.string(),
    retries: z.number(),
  }),
);

test("in a vendor's own vitest project, a test ends as its check did, once and in order, whatever the project is set to", async () => {
  const { folder, env, clear } = await setStage(inject('installed'), ['later-pages-short']);
  onTestFinished(clear);
  const file = await readFile(join(folder, 'staging.yaml'), 'utf8');
  await writeFile(join(folder, 'narrow.yaml'), file.replace(/^ {2}- messages\n/m, ''));
  await mkdir(join(folder, 'test'));
  await writeFile(join(folder, 'test/conformance.test.js'), suite);
  await writeFile(join(folder, 'vitest.config.js'), config);
  await writeFile(join(folder, 'reporter.js'), reporter);
  const { code, out, err } = await start(join(folder, 'node_modules/.bin/vitest'), ['run'], { cwd: folder, env })
    .finished;
  expect(code, out + err).toBe(1);

  const results = resultsSchema.parse(JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')));
  const states = { passed: 'passed', failed: 'failed', blocked: 'skipped', warned: 'skipped', errored: 'failed' };
  expect(results.map(({ state }) => state)).toEqual(
    results.map(({ verdict }) => Object.entries(states).find(([name]) => name === verdict)?.[1]),
  );
  expect(results.map(({ retries }) => retries)).toEqual(results.map(() => 0));
  expect(results.find(({ name }) => name.startsWith('paging.limit/listModels:'))?.verdict).toBe('failed');
  const blocked = results.filter(({ name }) => name.startsWith('message.'));
  expect(blocked.length).toBeGreaterThan(0);
  for (const { state, note } of blocked)
    expect([state, note]).toEqual(['skipped', expect.stringMatching(/^not allowed: add messages/)]);
  const last = results.map(({ name }) => name.startsWith('errors.')).indexOf(true);
  expect(results.slice(last).every(({ name }) => name.startsWith('errors.'))).toBe(true);
});
