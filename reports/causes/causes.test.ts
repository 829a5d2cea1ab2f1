import { expect, test } from 'vitest';
import { causesOf } from './causes.ts';
import type { CheckRecord } from '../record/record.ts';
import { committedRows } from '../../testing/committed-matrix.ts';
import { catalogue } from '../../spec/catalogue.ts';

/** The least share of faults whose requirement is named as the first cause. */
const leastShare = 0.92;

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
  const counts = new Map<string, Map<string, number>>();
  for (const { breaks, checks } of rows) {
    for (const fallen of new Set(checks.map(requirementOf))) {
      if (fallen === breaks) continue;
      const own = counts.get(breaks) ?? new Map<string, number>();
      counts.set(breaks, own.set(fallen, (own.get(fallen) ?? 0) + 1));
    }
  }
  const lines = [...counts].toSorted(byName).map(([cause, fallen]) => {
    const items = [...fallen].toSorted(byName).map(([requirement, count]) => `${requirement} ${count}`);
    return `${cause}: ${items.join(', ')}`;
  });
  await expect(
    '/**\n' +
      ' * What fell in the kill matrix with the faults of each requirement, and with how many of them. `causes.test.ts` writes\n' +
      ' * this file from the matrix.\n' +
      ` */\nexport const consequences = \`\n${lines.join('\n')}\n\`;\n`,
  ).toMatchFileSnapshot('./consequences.ts');
});

test('the first cause of the violations of a fault is the requirement that it breaks', () => {
  const wrong = rows.flatMap(({ fault, breaks, checks }) => {
    const [first] = causesOf(checks.map(violated));
    return first?.requirement === breaks ? [] : [`${fault}: ${first?.requirement}, not ${breaks}`];
  });
  const share = 1 - wrong.length / rows.length;
  console.log(`${(100 * share).toFixed(1)}% of ${rows.length} faults have their requirement as the first cause`);
  expect(share, wrong.join('\n')).toBeGreaterThan(leastShare);
});

test('every violated check is under exactly one cause', () => {
  for (const { checks, fault } of rows) {
    const causes = causesOf(checks.map(violated));
    const listed = causes.flatMap((cause) => [...cause.checks, ...cause.consequences.flatMap((one) => one.checks)]);
    expect(listed.toSorted(), fault).toEqual(checks.toSorted());
  }
});

test('two bugs that have nothing in common are two causes', () => {
  const both = rows.filter(({ fault }) => fault === 'later-pages-short' || fault === 'wait-ignored');
  const causes = causesOf(both.flatMap(({ checks }) => checks).map(violated));
  expect(causes.map(({ requirement }) => requirement).toSorted()).toEqual(both.map(({ breaks }) => breaks).toSorted());
});
