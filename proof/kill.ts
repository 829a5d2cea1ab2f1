import type { Check } from '../engine/check.ts';
import type { Fault } from '../reference/variation.ts';
import { catalogue, type RequirementId } from '../spec/catalogue.ts';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

/** One fault, and what the suite said of it. */
export type KillRow = {
  readonly fault: string;
  readonly breaks: RequirementId;
  /** Checks of the requirement it breaks that were violated. Empty: the fault survived. */
  readonly killers: readonly string[];
  /** Checks of other requirements that fell with it: violated or warned. */
  readonly fallen: readonly string[];
  /** For a survivor: what the checks of its requirement said instead. */
  readonly instead: readonly string[];
};

/** Runs the whole suite on the reference with one fault. A crash, an `errored` or a neighbour's violation is no kill. */
export async function killRow(fault: Fault, seed: number, checks: readonly Check[] = suites): Promise<KillRow> {
  const findings = await runTrial({ seed, faults: [fault.name], choices: {} }, () => true, checks);
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
  };
}

/**
 * The same, and sooner: the checks of the requirement that the fault breaks, alone. What survives them may show only after
 * what other checks send, so that it is tried again with all of them. Of what else falls this knows nothing.
 */
export async function ownKillRow(fault: Fault, seed: number): Promise<KillRow> {
  const own = suites.filter(({ requirement }) => requirement === fault.breaks);
  const row = await killRow(fault, seed, own);
  return row.killers.length > 0 ? row : killRow(fault, seed);
}

/** What keeps a matrix from proving the suite; empty when it does. */
export function gaps(rows: readonly KillRow[], checks: readonly Check[] = suites): readonly string[] {
  const killers = new Set(rows.flatMap((row) => row.killers));
  const killed = Map.groupBy(
    rows.filter((row) => row.killers.length > 0),
    (row) => row.breaks,
  );
  return [
    ...rows
      .filter((row) => row.killers.length === 0)
      .map(
        ({ fault, breaks, instead }) =>
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
