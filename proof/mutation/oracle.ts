import fc from 'fast-check';
import { faults } from '../../reference/faults/faults.ts';
import type { Fault } from '../../reference/variation.ts';
import { suites } from '../../suites/index.ts';
import { accusations } from '../accusations.ts';
import { drawnChoices } from '../draw-choices.ts';
import { ownKillRow } from '../kill.ts';
import { thinTargets } from '../thin-targets.ts';
import { type Finding, runTrial } from '../trial.ts';

/** One thing that the suite has to say: nothing, of a right deployment; a violation, of a wrong one. */
export type Expectation =
  | { readonly kind: 'silent'; readonly check: string }
  | { readonly kind: 'legal'; readonly place: number }
  | { readonly kind: 'thin'; readonly target: string }
  | { readonly kind: 'kill'; readonly fault: Fault };

/** Deployments that are legal in many odd ways at once. */
const oddlyLegal = fc.sample(drawnChoices, { seed: 1, numRuns: 24 });

/**
 * Every check on the reference as it is, the whole suite on a few oddly legal ones and where the target file declares little,
 * and every fault before the checks of the requirement that it breaks.
 */
export const expectations: readonly Expectation[] = [
  ...suites.map(({ id }): Expectation => ({ kind: 'silent', check: id })),
  ...oddlyLegal.map((_, place): Expectation => ({ kind: 'legal', place })),
  ...Object.keys(thinTargets).map((target): Expectation => ({ kind: 'thin', target })),
  ...faults.map((fault): Expectation => ({ kind: 'kill', fault })),
];

/** What the suite says, the same in the same words each time, and whether that is right, as far as the proof tells. */
export type Said = { readonly text: string; readonly isRight: boolean };

/**
 * Of a right deployment what is held against it, and what is blocked; of a wrong one which checks saw the fault, as the kill
 * matrix has it.
 */
export async function saidOf(expectation: Expectation): Promise<Said> {
  switch (expectation.kind) {
    case 'silent': {
      const own = suites.filter(({ id }) => id === expectation.check);
      const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { checks: own });
      return { text: textOf(findings), isRight: findings.length === 0 };
    }
    case 'legal': {
      const choices = oddlyLegal[expectation.place] ?? {};
      const findings = await runTrial({ seed: 1, faults: [], choices });
      return { text: textOf(findings), isRight: accusations(findings, choices).length === 0 };
    }
    case 'thin': {
      const part = Object.entries(thinTargets).find(([name]) => name === expectation.target)?.[1];
      return {
        text: textOf(await runTrial({ seed: 1, faults: [], choices: {} }, { part })),
        isRight: true,
      };
    }
    case 'kill': {
      const { killers } = await ownKillRow(expectation.fault, 1);
      return { text: killers.join(', '), isRight: killers.length > 0 };
    }
  }
}

function textOf(findings: readonly Finding[]): string {
  return findings
    .map(({ check, kind }) => `${check} ${kind}`)
    .toSorted()
    .join(', ');
}

export function nameOf(expectation: Expectation): string {
  switch (expectation.kind) {
    case 'silent':
      return `check ${expectation.check}`;
    case 'legal':
      return `legal ${expectation.place}`;
    case 'thin':
      return `thin ${expectation.target}`;
    case 'kill':
      return `fault ${expectation.fault.name}`;
  }
}
