import { expect, test } from 'vitest';
import { causesOf } from './causes.ts';
import { areaName } from '../record/areas.ts';
import type { CheckRecord } from '../record/record.ts';
import { committedRows } from '../../testing/committed-matrix.ts';
import { catalogue } from '../../spec/catalogue.ts';

/** The least share of faults whose requirement is named as the first cause. */
const leastShare = 0.96;

const levels = new Map<string, string>(catalogue.map(({ id, level }) => [id, level]));

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function requirementOf(check: string): string {
  return check.split('/')[0] ?? '';
}

const rows = committedRows.map(({ fault, breaks, killers, fallen }) => ({
  fault,
  breaks,
  checks: [...killers, ...fallen],
}));

type Row = (typeof rows)[number];

const allIds = [...new Set(rows.flatMap(({ checks }) => checks))];

/** The checks of a whole run in which these faults are present. */
function runWith(...of: readonly Row[]): readonly CheckRecord[] {
  const broken = new Set(of.flatMap(({ checks }) => checks));
  return allIds.map((id) => (broken.has(id) ? violated(id) : passed(id)));
}

function passed(id: string): CheckRecord {
  return { ...violated(id), verdict: 'passed' };
}

/** A check that is violated. */
function violated(id: string): CheckRecord {
  const requirement = requirementOf(id);
  const isMust = levels.get(requirement) === 'must';
  return {
    id,
    requirement,
    operation: 'listModels',
    level: isMust ? 'must' : 'should',
    title: id,
    verdict: isMust ? 'failed' : 'warned',
    exchanges: [],
    durationMs: 0,
  };
}

test('the consequences of each requirement are those of the kill matrix: run this test with -u after the matrix changed', async () => {
  const withFallen = committedRows.filter(({ fallen }) => fallen.length > 0);
  const lines = [...Map.groupBy(withFallen, ({ breaks }) => breaks)].toSorted(byName).map(([cause, own]) => {
    const patterns = own.map(({ killers, fallen }) => `${killers.join(' ')} > ${fallen.join(' ')}`);
    return `${cause}: ${[...new Set(patterns)].toSorted().join('; ')}`;
  });
  await expect(
    '/**\n' +
      ' * What the faults of the kill matrix broke, for each requirement with consequences. Each fault: the checks of the requirement\n' +
      ' * that failed, and the other checks that failed with them. `causes.test.ts` writes this file from the matrix.\n' +
      ` */\nexport const consequences = \`\n${lines.join('\n')}\n\`;\n`,
  ).toMatchFileSnapshot('./consequences.ts');
});

test('the first cause of the violations of a fault is the requirement that it breaks', () => {
  const wrong = rows.flatMap((row) => {
    const { fault, breaks } = row;
    const [first] = causesOf(runWith(row));
    return first?.requirement === breaks ? [] : [`${fault}: ${first?.requirement}, not ${breaks}`];
  });
  const right = 1 - wrong.length / rows.length;
  console.log(`${(100 * right).toFixed(1)}% of ${rows.length} faults have their requirement as the first cause`);
  expect(right, wrong.join('\n')).toBeGreaterThan(leastShare);
});

test('every violated check is under exactly one cause', () => {
  for (const row of rows) {
    const { checks, fault } = row;
    const causes = causesOf(runWith(row));
    const listed = causes.flatMap((cause) => [...cause.checks, ...cause.consequences.flatMap((one) => one.checks)]);
    expect(listed.toSorted(), fault).toEqual(checks.toSorted());
  }
});

/** Pairs of faults that break requirements of different areas, each fault in several of them. */
const pairs = [7, 53, 101, 211, 389, 499, 601, 733].flatMap((apart) =>
  rows.flatMap((one, place) => {
    const other = rows[(place + apart) % rows.length];
    return other === undefined || areaName(one.breaks) === areaName(other.breaks) ? [] : [[one, other] as const];
  }),
);

function share(of: readonly (readonly [Row, Row])[], holds: (one: Row, other: Row) => boolean): number {
  return of.filter(([one, other]) => holds(one, other)).length / of.length;
}

test('two bugs of different areas are two causes', () => {
  const named = share(pairs, (one, other) => {
    const causes = causesOf(runWith(one, other)).map(({ requirement }) => requirement);
    return causes.includes(one.breaks) && causes.includes(other.breaks);
  });
  expect(named).toBeGreaterThan(0.95);
});

test('no finding is folded under a bug that did not cause it', () => {
  const unrelated = share(pairs, (...both) =>
    causesOf(runWith(...both)).some(({ requirement, consequences }) =>
      consequences.some((folded) =>
        both.every(({ checks }) => {
          const broken = new Set(checks.map(requirementOf));
          return !broken.has(requirement) || !broken.has(folded.requirement);
        }),
      ),
    ),
  );
  expect(unrelated).toBeLessThan(0.006);
});

test('a check that passed speaks against a bug that breaks it, and one that was not exercised does not', () => {
  const row = rows.find(({ fault }) => fault === 'account-behind-503');
  if (row === undefined) throw new Error('the matrix has no such fault');
  const seen = ['billing.record', 'auth.no-key/getBillingAccount'];
  expect(causesOf(seen.map(violated))).toMatchObject([
    { requirement: 'billing.record', consequences: [{ requirement: 'auth.no-key' }] },
  ]);
  const others = row.checks.filter((id) => !seen.includes(id));
  const causes = causesOf([...seen.map(violated), ...others.map(passed)]);
  expect(causes.map(({ consequences }) => consequences)).toEqual([[], []]);
});
