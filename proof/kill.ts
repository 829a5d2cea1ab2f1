import type { Check } from '../engine/check.ts';
import type { Fault } from '../reference/variation.ts';
import { catalogue, type RequirementId } from '../spec/catalogue.ts';
import { suites } from '../suites/index.ts';
import { judgeDeployment } from './judge-deployment.ts';
import type { RecordingBounds } from './recording.ts';
import { checksOf, type Finding, timeTrial, type TrialResult } from './trial.ts';

/** One fault, and what the suite said of it. */
export type KillRow = {
  readonly fault: string;
  readonly breaks: RequirementId;
  /** Checks of the requirement it breaks that were violated. Empty: the fault survived. */
  readonly killers: readonly string[];
  /** Checks of other requirements that fell with it: violated or warned. */
  readonly fallen: readonly string[];
  /** Requirements that a short load, and the run as recorded traffic, see broken; undefined where neither was tried. */
  readonly seenBy?: { readonly load: readonly string[]; readonly traffic: readonly string[] };
  /** For a survivor: what the checks of its requirement said instead. */
  readonly instead: readonly string[];
  /** How long the run took in virtual time. */
  readonly seconds: number;
};

/** Most of a run: what it leaves out are further answers of a kind that was seen hundreds of times. */
export const recordingBounds: RecordingBounds = { answersOfKind: 300, bytesOfKind: 256 * 1024 };

/** Judges the reference with one fault by the whole suite, by a short load and as recorded traffic. */
export async function wholeKillRow(fault: Fault, seed: number): Promise<KillRow> {
  const { suite, load, traffic, seconds } = await judgeDeployment(
    { seed, faults: [fault.name], choices: {} },
    recordingBounds,
  );
  const seenBy = { load: requirementsOf(load), traffic: requirementsOf(traffic) };
  return { ...rowOf(fault, { findings: suite, seconds }), seenBy };
}

export function requirementsOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ requirement }) => requirement))].toSorted();
}

/** Runs checks on the reference with one fault. */
export async function killRow(fault: Fault, seed: number, checks: readonly Check[] = suites): Promise<KillRow> {
  return rowOf(fault, await timeTrial({ seed, faults: [fault.name], choices: {} }, { checks }));
}

/** A crash, an `errored` or a violation of another requirement is no kill. */
export function rowOf(fault: Fault, { findings, seconds }: TrialResult): KillRow {
  const violated = findings.filter(({ kind }) => kind === 'failed' || kind === 'warned');
  const own = violated.filter(({ requirement }) => requirement === fault.breaks).map(({ check }) => check);
  return {
    fault: fault.name,
    breaks: fault.breaks,
    killers: own.toSorted(),
    fallen: violated
      .filter(({ requirement }) => requirement !== fault.breaks)
      .map(({ check }) => check)
      .toSorted(),
    instead: findings
      .filter(({ requirement, kind }) => requirement === fault.breaks && own.length === 0 && kind !== 'failed')
      .map(({ check, kind, text }) => `${check} ${kind}: ${text}`),
    seconds,
  };
}

/**
 * The same, and sooner: the checks of the requirement that the fault breaks, alone. What survives them may show only after
 * what other checks send, so that it is tried again with all of them. Of what else falls this knows nothing.
 */
export async function ownKillRow(fault: Fault, seed: number): Promise<KillRow> {
  const row = await killRow(fault, seed, checksOf(fault.breaks));
  return row.killers.length > 0 ? row : killRow(fault, seed);
}

/** What shows whether a fault was killed: a row just made, or one of the committed matrix. */
type JudgedRow = Pick<KillRow, 'fault' | 'killers'> & { readonly breaks: string; readonly instead?: readonly string[] };

/** What keeps a matrix from proving the suite; empty when it does. */
export function gaps(rows: readonly JudgedRow[], checks: readonly Check[] = suites): readonly string[] {
  const killers = new Set(rows.flatMap((row) => row.killers));
  const killed = Map.groupBy(
    rows.filter((row) => row.killers.length > 0),
    (row) => row.breaks,
  );
  return [
    ...rows
      .filter((row) => row.killers.length === 0)
      .map(
        ({ fault, breaks, instead = [] }) =>
          `fault ${fault} survives ${breaks}${instead.map((text) => `\n    ${text}`).join('')}`,
      ),
    ...checks.filter(({ id }) => !killers.has(id)).map(({ id }) => `check ${id} catches no fault`),
    ...catalogue
      .filter(({ level, unobservable }) => level === 'must' && unobservable === undefined)
      .map(({ id }) => [id, killed.get(id)?.length ?? 0] as const)
      .filter(([, count]) => count < 2)
      .map(([id, count]) => `must ${id} has ${count} of 2 killed faults`),
  ];
}
