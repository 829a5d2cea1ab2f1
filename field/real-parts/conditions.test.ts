import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { conditions, conditionTable } from './conditions.ts';
import { missing, prepare } from './prepare.ts';
import { closedWays, ways } from './ways.ts';

/** A few hundred requests. */
const shortProfile = (load = 'open: { rate: 40 }') => `question: Do all operations answer correctly?
load:
  ${load}
duration: 5s
timeout: 60s
operations:
  listModels: { weight: 2, limits: [10, 50] }
  listDataSources: { weight: 1 }
  getBillingAccount: { weight: 1 }
thresholds: [violations == 0, errors.rate < 1%]
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
  const prepared = await prepare(way, context.onTestFinished, { files: { 'short.yaml': shortProfile() } });
  if (prepared === undefined) return context.skip(missing);
  const { code, out, err } = await prepared.awc(...args);
  context.expect(code, `${out}${err}`).toBe(0);
  for (const { noted = /^/ } of conditions.filter((each) => each.way === name)) context.expect(out).toMatch(noted);
});

test.concurrent('a closed load works by way of http2', async (context) => {
  const files = { 'closed.yaml': shortProfile('closed: { connections: 4 }') };
  const prepared = await prepare(ways.http2, context.onTestFinished, { files });
  if (prepared === undefined) return context.skip(missing);
  const { code, out, err } = await prepared.awc('load', 'target.yaml', '--profile', 'closed.yaml');
  context.expect(code, `${out}${err}`).toBe(0);
  context.expect(out).toContain('The server chose HTTP/2.');
});

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

const everyCommand = [
  ['run', 'target.yaml'],
  ['load', 'target.yaml', '--profile', 'short.yaml'],
  ['doctor', 'target.yaml'],
  ['certify', 'target.yaml', '--key', 'vendor.key', '--out', 'certificate'],
] as const;

const stopped = Object.entries(closedWays).flatMap(([name, closedWay]) =>
  everyCommand.map((args) => ({ name, command: args[0], ...closedWay, args })),
);

test.concurrent.for(stopped)('$name cannot be passed: awc $command', async ({ way, sentence, args }, context) => {
  const prepared = await prepare(way, context.onTestFinished, { files: { 'short.yaml': shortProfile() } });
  if (prepared === undefined) return context.skip(missing);
  if (args[0] === 'certify') await prepared.awc('keygen', '--out', 'vendor.key');
  const { code, out, err } = await prepared.awc(...args);
  context.expect(code, `${out}${err}`).toBe(3);
  context.expect(`${out}${err}`).toMatch(sentence);
});
