import type { Fault } from '../reference/variation.ts';
import { areaOf } from '../spec/areas.ts';
import { judgeDeployment } from './judge-deployment.ts';
import { type KillRow, recordingBounds, requirementsOf, rowOf, wholeKillRow } from './kill.ts';
import type { KnownRow } from './matrix-text.ts';
import type { TrialResult } from './trial.ts';

/** Faults of different parts rarely meet in one answer. What is in none of these lists is the fourth part. */
const parts: readonly (readonly string[])[] = [
  ['messages', 'idempotency', 'conflict'],
  ['lists', 'models', 'data-sources', 'deletion'],
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
 * there is anything else, or the run takes longer than `enoughSeconds` in virtual time, all of them are.
 */
export async function confirmRows(group: Group, seed: number, enoughSeconds: number): Promise<readonly KillRow[]> {
  const rows = group.map(({ row }) => row);
  const confirmed = rows.length > 1 ? await tryTogether(rows, seed, enoughSeconds) : undefined;
  const results: KillRow[] = [];
  for (const { fault, row } of group) {
    const result = confirmed?.get(row);
    if (result === undefined) results.push(await wholeKillRow(fault, seed));
    else results.push({ ...rowOf(fault, result), seenBy: inOrder(row.seenBy) });
  }
  return results;
}

/** As a row is written, so that a row in another order is found. */
function inOrder({ load, traffic }: KnownRow['seenBy']): KnownRow['seenBy'] {
  return { load: [...new Set(load)].toSorted(), traffic: [...new Set(traffic)].toSorted() };
}

/** The rows that are confirmed, each with what its checks found, and the duration of the run. */
async function tryTogether(
  rows: readonly KnownRow[],
  seed: number,
  enoughSeconds: number,
): Promise<ReadonlyMap<KnownRow, TrialResult>> {
  const trial = { seed, faults: rows.map(({ fault }) => fault), choices: {} };
  const { suite, load, traffic, seconds } = await judgeDeployment(trial, recordingBounds);
  const seen: Seen = [
    new Set(suite.filter(({ kind }) => kind === 'failed' || kind === 'warned').map(({ check }) => check)),
    new Set(requirementsOf(load)),
    new Set(requirementsOf(traffic)),
  ];
  const expected = rows.map((row) => [row, seenOf(row)] as const);
  const isMore = seen.some((found, judge) => {
    const known = new Set(expected.flatMap(([, of]) => [...(of[judge] ?? [])]));
    return [...found].some((one) => !known.has(one));
  });
  if (isMore || seconds > enoughSeconds) return new Map();
  const isWhole = (of: Seen) => of.every((wanted, judge) => [...wanted].every((one) => seen[judge]?.has(one)));
  const findingsOf = (of: Seen) => suite.filter(({ check }) => of[0].has(check));
  return new Map(
    expected.flatMap(([row, of]) => (isWhole(of) ? [[row, { findings: findingsOf(of), seconds }] as const] : [])),
  );
}

/** What the suite, a load and recorded traffic see of a deployment: checks, and requirements. */
type Seen = readonly [ReadonlySet<string>, ReadonlySet<string>, ReadonlySet<string>];

function seenOf(row: KnownRow): Seen {
  return [checksOf(row), new Set(row.seenBy.load), new Set(row.seenBy.traffic)];
}
