import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { conditions, conditionTable } from './conditions.ts';
import { missing, prepare } from './prepare.ts';
import { behindBasic, ways } from './ways.ts';

/** The share of errors in percent. tinyproxy ends a connection of plain HTTP without saying so, which resets some requests. */
const mostErrors = (way: string) => (way === 'environment' ? 25 : 1);

/** A few hundred requests. */
const shortProfile = (way: string) => `question: Do all operations answer rightly?
load:
  open: { rate: 40 }
duration: 5s
timeout: 60s
operations:
  listModels: { weight: 2, limits: [10, 50] }
  listDataSources: { weight: 1 }
  getBillingAccount: { weight: 1 }
thresholds: [violations == 0, errors.rate < ${mostErrors(way)}%]
`;

const commands = {
  load: ['load', 'target.yaml', '--profile', 'short.yaml'],
  doctor: ['doctor', 'target.yaml'],
};

test('the document has the table of conditions', async () => {
  const document = await readFile(new URL('../../docs/reaching-a-deployment.md', import.meta.url), 'utf8');
  expect(document).toContain(`\n${conditionTable().join('\n')}\n`);
  expect(new Set(conditions.map(({ way }) => way))).toEqual(new Set(Object.keys(ways)));
});

const cells = Object.entries(commands).flatMap(([command, args]) =>
  Object.entries(ways).map(([name, way]) => ({ command, name, way, args })),
);

test.concurrent.for(cells)('$command works by way of $name', async ({ name, way, args }, context) => {
  const prepared = await prepare(way, context.onTestFinished, { files: { 'short.yaml': shortProfile(name) } });
  if (prepared === undefined) return context.skip(missing);
  const { code, out, err } = await prepared.awc(...args);
  context.expect(code, `${out}${err}`).toBe(isBusy(out) ? 4 : 0);
  if (isBusy(out)) context.expect(out).toContain('✓ violations == 0');
});

/** Whether this machine had too much else to do to judge latencies. */
function isBusy(out: string): boolean {
  return out.includes('No verdict, the generator was the bottleneck');
}

const closed = conditions.flatMap(({ condition, way, closedBy }) =>
  closedBy === undefined ? [] : [{ condition, way: ways[way], closedBy }],
);

test.concurrent.for(closed)('without its setting: $condition', async ({ way, closedBy: { file, env } }, context) => {
  const setting = { ...(file === undefined ? {} : { patch: file }), ...(env === undefined ? {} : { env }) };
  const prepared = await prepare(way, context.onTestFinished, setting);
  if (prepared === undefined) return context.skip(missing);
  const { code, out, err } = await prepared.awc('doctor', 'target.yaml');
  context.expect(code, `${out}${err}`).toBe(3);
});

test.concurrent.for([
  ['run', 'target.yaml'],
  ['load', 'target.yaml', '--profile', 'short.yaml'],
  ['doctor', 'target.yaml'],
  ['certify', 'target.yaml', '--key', 'vendor.key', '--out', 'certificate'],
])('a gateway that wants Basic credentials cannot be passed: awc %s', async (args, context) => {
  const prepared = await prepare(behindBasic, context.onTestFinished, {
    files: { 'short.yaml': shortProfile('basic') },
  });
  if (prepared === undefined) return context.skip(missing);
  if (args[0] === 'certify') await prepared.awc('keygen', '--out', 'vendor.key');
  const { code, out, err } = await prepared.awc(...args);
  context.expect(code, `${out}${err}`).toBe(3);
  context.expect(`${out}${err}`).toMatch(/401 Authorization Required.*A gateway wants credentials/);
});
