import fc from 'fast-check';
import { faults } from '../../reference/faults/faults.ts';
import { suites } from '../../suites/index.ts';
import { accusations } from '../accusations.ts';
import { drawnChoices } from '../draw-choices.ts';
import { thinTargets } from '../thin-targets.ts';
import { type Finding, runTrial } from '../trial.ts';

/** One thing that the suite has to say: nothing, of a right deployment; a violation, of a wrong one. */
export type Expectation =
  | { readonly kind: 'silent'; readonly check: string }
  | { readonly kind: 'legal'; readonly place: number }
  | { readonly kind: 'thin'; readonly target: string }
  | { readonly kind: 'kill'; readonly fault: string };

/** Deployments that are legal in many odd ways at once. */
const oddlyLegal = fc.sample(drawnChoices, { seed: 1, numRuns: 12 });

/**
 * Every check on the reference as it is, the whole suite on a few oddly legal ones and where the target file declares little,
 * and every fault before the checks of the requirement that it breaks.
 */
export const expectations: readonly Expectation[] = [
  ...suites.map(({ id }): Expectation => ({ kind: 'silent', check: id })),
  ...oddlyLegal.map((_, place): Expectation => ({ kind: 'legal', place })),
  ...Object.keys(thinTargets).map((target): Expectation => ({ kind: 'thin', target })),
  ...faults.map(({ name }): Expectation => ({ kind: 'kill', fault: name })),
];

/**
 * What the suite says, the same in the same words each time: of a right deployment what is held against it, or blocked, of a
 * wrong one which checks saw the fault, as the kill matrix has it.
 */
export async function saidOf(expectation: Expectation): Promise<string> {
  switch (expectation.kind) {
    case 'silent': {
      const own = suites.filter(({ id }) => id === expectation.check);
      return textOf(await runTrial({ seed: 1, faults: [], choices: {} }, () => true, own));
    }
    case 'legal': {
      const choices = oddlyLegal[expectation.place] ?? {};
      return textOf(accusations(await runTrial({ seed: 1, faults: [], choices }), choices));
    }
    case 'thin': {
      const part = Object.entries(thinTargets).find(([name]) => name === expectation.target)?.[1];
      return textOf(await runTrial({ seed: 1, faults: [], choices: {} }, () => true, suites, part));
    }
    case 'kill': {
      const breaks = faults.find(({ name }) => name === expectation.fault)?.breaks;
      const trial = { seed: 1, faults: [expectation.fault], choices: {} };
      const findings = await runTrial(trial, (id) => id === breaks);
      return textOf(findings.filter(({ kind }) => kind === 'failed' || kind === 'warned'));
    }
  }
}

function textOf(findings: readonly Finding[]): string {
  return findings
    .map(({ check, kind }) => `${check} ${kind}`)
    .toSorted()
    .join(', ');
}

/** Whether that is what has to be said, as far as the proof tells. */
export function isRight({ kind }: Expectation, said: string): boolean {
  return kind === 'thin' || (said === '') === (kind !== 'kill');
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
      return `fault ${expectation.fault}`;
  }
}
