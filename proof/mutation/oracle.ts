import { faults } from '../../reference/faults/faults.ts';
import { suites } from '../../suites/index.ts';
import { runTrial } from '../trial.ts';

/** One thing that the suite has to say: nothing, of a right deployment; a violation, of a wrong one. */
export type Expectation =
  { readonly kind: 'silent'; readonly check: string } | { readonly kind: 'kill'; readonly fault: string };

/** Every check on the reference as it is, and every fault before the checks of the requirement that it breaks. */
export const expectations: readonly Expectation[] = [
  ...suites.map(({ id }): Expectation => ({ kind: 'silent', check: id })),
  ...faults.map(({ name }): Expectation => ({ kind: 'kill', fault: name })),
];

/** Whether the suite says it. */
export async function holds(expectation: Expectation): Promise<boolean> {
  switch (expectation.kind) {
    case 'silent': {
      const own = suites.filter(({ id }) => id === expectation.check);
      const findings = await runTrial({ seed: 1, faults: [], choices: {} }, () => true, own);
      return findings.length === 0;
    }
    case 'kill': {
      const breaks = faults.find(({ name }) => name === expectation.fault)?.breaks;
      const trial = { seed: 1, faults: [expectation.fault], choices: {} };
      const findings = await runTrial(trial, (id) => id === breaks);
      return findings.some(({ kind }) => kind === 'failed' || kind === 'warned');
    }
  }
}

export function nameOf(expectation: Expectation): string {
  return expectation.kind === 'silent' ? `check ${expectation.check}` : `fault ${expectation.fault}`;
}
