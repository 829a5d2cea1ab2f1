import fc from 'fast-check';
import { faults } from '../../reference/faults/faults.ts';
import type { Fault } from '../../reference/variation.ts';
import { suites } from '../../suites/index.ts';
import { accusationsOfAll } from '../accusations.ts';
import { drawnChoices } from '../draw-choices.ts';
import { judgeDeployment, judges } from '../judge-deployment.ts';
import { ownKillRow } from '../kill.ts';
import type { RecordingBounds } from '../recording.ts';
import { thinTargets } from '../thin-targets.ts';
import { type Finding, runTrial } from '../trial.ts';

/** What a correct suite does: it accuses no legal deployment, and it finds each fault. */
export type Expectation =
  | { readonly kind: 'silent'; readonly check: string }
  | { readonly kind: 'legal'; readonly place: number }
  | { readonly kind: 'thin'; readonly target: string }
  | { readonly kind: 'kill'; readonly fault: Fault }
  | { readonly kind: 'seen'; readonly fault: Fault };

/** Each of these deployments makes many unusual legal choices at once. */
const oddlyLegal = fc.sample(drawnChoices, { seed: 1, numRuns: 24 });

const bounds: RecordingBounds = { answersOfKind: 60, bytesOfKind: 64 * 1024 };

/** Faults that a load or recorded traffic is tried on. */
const seenFaults = faults.filter((_, index) => index % 6 === 0);

/**
 * `silent`: a check on the reference. `legal`: the suite, a load and recorded traffic on an unusual legal deployment. `thin`:
 * the suite where the target file declares little. `kill`: the checks of the requirement that a fault breaks. `seen`: what a
 * load and recorded traffic find of a fault.
 */
export const expectations: readonly Expectation[] = [
  ...suites.map(({ id }): Expectation => ({ kind: 'silent', check: id })),
  ...oddlyLegal.map((_, place): Expectation => ({ kind: 'legal', place })),
  ...Object.keys(thinTargets).map((target): Expectation => ({ kind: 'thin', target })),
  ...faults.map((fault): Expectation => ({ kind: 'kill', fault })),
  ...seenFaults.map((fault): Expectation => ({ kind: 'seen', fault })),
];

/** The findings as text, equal for equal findings, and whether they are correct. */
export type Outcome = { readonly text: string; readonly isRight: boolean };

/** For a legal deployment: what is failed, warned or blocked. For a fault: the checks or requirements that found it. */
export async function outcomeOf(expectation: Expectation): Promise<Outcome> {
  switch (expectation.kind) {
    case 'silent': {
      const own = suites.filter(({ id }) => id === expectation.check);
      const findings = await runTrial({ seed: 1, faults: [], choices: {} }, { checks: own });
      return { text: textOf(findings), isRight: findings.length === 0 };
    }
    case 'legal': {
      const choices = oddlyLegal[expectation.place] ?? {};
      const findings = await judgeDeployment({ seed: 1, faults: [], choices }, bounds);
      const text = judges.map((judge) => textOf(findings[judge])).join('; ');
      return { text, isRight: accusationsOfAll(findings, choices) === undefined };
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
    case 'seen': {
      const { load, traffic } = await judgeDeployment(
        { seed: 1, faults: [expectation.fault.name], choices: {} },
        bounds,
      );
      const found = [...load, ...traffic];
      return { text: textOf(found), isRight: found.length > 0 };
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
    case 'seen':
      return `seen ${expectation.fault.name}`;
  }
}
