import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { conditions, conditionTable } from './conditions.ts';
import { missing, prepare } from './prepare.ts';
import { ways } from './ways.ts';

/** A hundred requests. */
const shortProfile = (load = 'open: { rate: 50 }') => `question: Do all operations answer correctly?
load:
  ${load}
duration: 2s
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
  context.expect(await prepared.whyNot()).toMatch(/./);
});
