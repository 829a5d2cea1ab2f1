import { expect, test } from 'vitest';
import { faults } from '../reference/faults/faults.ts';
import { committedRows } from '../testing/committed-matrix.ts';
import { confirmRows, groupsOf } from './confirm.ts';
import type { KnownRow } from './matrix-text.ts';

function known(name: string): KnownRow {
  const row = committedRows.find(({ fault }) => fault === name);
  if (row === undefined) throw new Error(`the matrix has no ${name}`);
  return row;
}

/** What comes of a group, without its duration. */
async function confirmed(rows: readonly KnownRow[], enoughSeconds = 1000) {
  const group = rows.map((row) => ({ row, fault: faults.find(({ name }) => name === row.fault) }));
  const results = await confirmRows(
    group.flatMap(({ row, fault }) => (fault === undefined ? [] : [{ row, fault }])),
    1,
    enoughSeconds,
  );
  return {
    rows: results.map((row) => ({ ...row, seconds: 0 })),
    durations: new Set(results.map(({ seconds }) => seconds)),
  };
}

const pair = [known('later-pages-short'), known('attach-redirects')] as const;
const right = pair.map((row) => ({ ...row, instead: [], seconds: 0 }));

test('nothing that is seen is in two rows of a group, and each row is in one group', () => {
  const groups = groupsOf(committedRows);
  expect(
    groups
      .flat()
      .map(({ fault }) => fault)
      .toSorted(),
  ).toEqual(committedRows.map(({ fault }) => fault).toSorted());
  expect(groups.length).toBeLessThan(committedRows.length / 2);
  for (const group of groups) {
    const seen = group.flatMap(({ killers, fallen, seenBy: { load, traffic } }) => [
      ...[...killers, ...fallen].map((check) => `check ${check}`),
      ...load.map((requirement) => `load ${requirement}`),
      ...traffic.map((requirement) => `traffic ${requirement}`),
    ]);
    expect(new Set(seen).size, group.map(({ fault }) => fault).join()).toBe(seen.length);
  }
});

test('one run confirms the right rows of two faults', async () => {
  const { rows, durations } = await confirmed(pair);
  expect(rows).toEqual(right);
  expect(durations.size).toBe(1);
});

test('a row is confirmed in the order and with the columns that its fault gives alone', async () => {
  const [first, second] = pair;
  const { rows, durations } = await confirmed([
    { ...first, killers: first.killers.toReversed() },
    { ...second, killers: second.fallen, fallen: second.killers },
  ]);
  expect(rows).toEqual(right);
  expect(durations.size).toBe(1);
});

test.each<[string, readonly KnownRow[], number]>([
  ['a check too many', [{ ...pair[0], killers: [...pair[0].killers, 'rate.window'] }, pair[1]], 1000],
  ['a check too few', [{ ...pair[0], killers: pair[0].killers.slice(1) }, pair[1]], 1000],
  [
    'a requirement too many in recorded traffic',
    [pair[0], { ...pair[1], seenBy: { load: [], traffic: ['auth.no-key'] } }],
    1000,
  ],
  ['a run that takes too long', pair, 1],
])('a row with %s is replaced by what the fault does alone', async (_what, rows, enoughSeconds) => {
  const result = await confirmed(rows, enoughSeconds);
  expect(result.rows).toEqual(right);
  expect(result.durations.size).toBe(2);
});

test('the half of a group that fits is confirmed together', async () => {
  const third = known('errors-cut-off');
  const { rows, durations } = await confirmed([...pair, { ...third, killers: ['rate.window'] }]);
  expect(rows).toEqual([...right, { ...third, instead: [], seconds: 0 }]);
  expect(durations.size).toBe(2);
});
