import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { contextOn, createCollector, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';
import { configure as configureLoad } from '../commands/load.ts';

/** A load with these stages, and what `awc load` had printed when its first request arrived. */
async function printedBefore(name: string, stages: readonly string[]): Promise<string> {
  const profile = join(await temporaryFolder(), `${name}.yaml`);
  const load = `open: { rate: 10, stages: [${stages.join(', ')}] }`;
  await writeFile(profile, `question: Why?\nload:\n  ${load}\noperations:\n  listModels: { weight: 1, limits: [5] }\n`);
  const err = createCollector();
  let before: string | undefined;
  const wrap =
    (reference: Deployment): Deployment =>
    (request) => {
      if (request.path.includes('limit=5')) before ??= err.text();
      return reference(request);
    };
  const target = await writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' }, wrap }));
  const out = createCollector();
  const command = new Command('load');
  configureLoad(command, contextOn(out, err));
  await command.parseAsync([target, '--profile', profile], { from: 'user' });
  return before?.slice(before.indexOf('\n') + 1) ?? '';
}

test.each([
  [
    'ramp',
    ['{ rate: 100, over: 300ms }', '{ rate: 100, over: 100ms }', '{ rate: 10, over: 100ms }'],
    `
100/s │                            ▁▂▃▄▅▆▇██████████████▅▂
      │                    ▁▂▃▄▅▆▇████████████████████████▇▄▁
      │            ▁▂▃▄▅▆▇███████████████████████████████████▆▃
      │    ▁▂▃▄▅▆▇██████████████████████████████████████████████▅▂
      │▅▆▇████████████████████████████████████████████████████████▇
      └0 s                                                    0.5 s
`,
  ],
  [
    'spike',
    [
      '{ rate: 10, over: 200ms }',
      '{ rate: 100, over: 0s }',
      '{ rate: 100, over: 100ms }',
      '{ rate: 10, over: 0s }',
      '{ rate: 10, over: 300ms }',
    ],
    `
100/s │                    ██████████
      │                    ██████████
      │                    ██████████
      │                    ██████████
      │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄██████████▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
      └0 s                                                    0.6 s
`,
  ],
])('awc load draws the shape of a %s before the first request', async (name, stages, shape) => {
  expect(`\n${await printedBefore(name, stages)}`).toBe(shape);
});
