import type { Fault } from '../reference/variation.ts';
import { areaOf } from '../spec/areas.ts';
import { judgeDeployment } from './judge-deployment.ts';
import { type KillRow, recordingBounds, requirementsOf, rowOf, wholeKillRow } from './kill.ts';
import type { KnownRow } from './matrix-text.ts';

/** Faults of different parts rarely meet in one answer. What is in none of these lists is the last part. */
const parts: readonly (readonly string[])[] = [
  ['messages'],
  ['idempotency', 'conflict'],
  ['lists', 'data-sources'],
  ['models', 'deletion'],
  ['billing'],
];

/** A fault that breaks more checks than this hides what others break. */
const mostChecks = 15;

/** Faults, each with its row of the committed matrix. */
export type Group = readonly { readonly fault: Fault; readonly row: KnownRow }[];

function partOf({ breaks }: KnownRow): number {
  return parts.findIndex((areas) => areas.includes(areaOf(breaks) ?? ''));
}

function checksOf({ killers, fallen }: KnownRow): ReadonlySet<string> {
  return new Set([...killers, ...fallen]);
}

/**
 * Shares rows out so that no two of a group are of one part, and nothing that the suite, a load or recorded traffic sees is in two
 * rows of a group: it would confirm both, even if it belongs to one alone.
 */
export function groupsOf(rows: readonly KnownRow[]): readonly (readonly KnownRow[])[] {
  const groups: KnownRow[][] = [];
  for (const row of rows) {
    const seen = seenOf(row);
    const fits = (other: KnownRow) =>
      partOf(other) !== partOf(row) &&
      seenOf(other).every((of, judge) => ![...of].some((one) => seen[judge]?.has(one)));
    const isWide = (one: KnownRow) => checksOf(one).size > mostChecks;
    const group = groups.find((others) => ![row, ...others].some(isWide) && others.every(fits));
    if (group === undefined) groups.push([row]);
    else group.push(row);
  }
  return groups;
}

/**
 * Tries the faults of a group together. If exactly the checks of their rows are violated, and load and recorded traffic see exactly
 * what the rows say, the rows are confirmed. If something is missing, the faults that it belongs to are tried again alone. If
 * there is anything else, or the run takes longer than `enoughSeconds` in virtual time, each half of the group is tried again.
 */
export async function confirmRows(group: Group, seed: number, enoughSeconds: number): Promise<readonly KillRow[]> {
  const [first] = group;
  if (first === undefined) return [];
  if (group.length === 1) return [await wholeKillRow(first.fault, seed)];
  const confirmed = await tryTogether(group, seed, enoughSeconds);
  const left = group.filter(({ row }) => !confirmed.has(row.fault));
  const half = Math.ceil(group.length / 2);
  const again = confirmed.size > 0 ? left.map((one) => [one]) : [group.slice(0, half), group.slice(half)];
  const rows = new Map(confirmed);
  for (const part of left.length > 0 ? again : []) {
    for (const row of await confirmRows(part, seed, enoughSeconds)) rows.set(row.fault, row);
  }
  return group.flatMap(({ row }) => rows.get(row.fault) ?? []);
}

/** As a row is written, so that a row in another order is found. */
function inOrder({ load, traffic }: KnownRow['seenBy']): KnownRow['seenBy'] {
  return { load: [...new Set(load)].toSorted(), traffic: [...new Set(traffic)].toSorted() };
}

/** The rows that are confirmed, by fault. */
async function tryTogether(group: Group, seed: number, enoughSeconds: number): Promise<ReadonlyMap<string, KillRow>> {
  const trial = { seed, faults: group.map(({ fault }) => fault.name), choices: {} };
  const { suite, load, traffic, seconds } = await judgeDeployment(trial, recordingBounds);
  const seen: Seen = [
    new Set(suite.filter(({ kind }) => kind === 'failed' || kind === 'warned').map(({ check }) => check)),
    new Set(requirementsOf(load)),
    new Set(requirementsOf(traffic)),
  ];
  const expected = group.map(({ fault, row }) => ({ fault, row, of: seenOf(row) }));
  const isMore = seen.some((found, judge) => {
    const known = new Set(expected.flatMap(({ of }) => [...(of[judge] ?? [])]));
    return [...found].some((one) => !known.has(one));
  });
  if (isMore || seconds > enoughSeconds) return new Map();
  const isWhole = (of: Seen) => of.every((wanted, judge) => [...wanted].every((one) => seen[judge]?.has(one)));
  return new Map(
    expected
      .filter(({ of }) => isWhole(of))
      .map(({ fault, row, of: [checks] }) => {
        const findings = suite.filter(({ check }) => checks.has(check));
        return [fault.name, { ...rowOf(fault, { findings, seconds }), seenBy: inOrder(row.seenBy) }];
      }),
  );
}

/** What the suite, a load and recorded traffic see of a deployment: checks, and requirements. */
type Seen = readonly [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>];

function seenOf(row: KnownRow): Seen {
  return [checksOf(row), new Set(row.seenBy.load), new Set(row.seenBy.traffic)];
}
