import fc from 'fast-check';
import type { Check } from '../engine/check.ts';
import { accusationsOfAll } from './accusations.ts';
import { drawnNeighbours } from './draw-choices.ts';
import { type Findings, judgeDeployment } from './judge-deployment.ts';
import type { RecordingBounds } from './recording.ts';
import type { TimedTrial, Trial } from './trial.ts';

/** A legal deployment that is accused, shrunk to the choices that it takes. */
export type FalseAlarm = { readonly trial: Trial; readonly accused: Findings };

export type SweepResult = {
  readonly deployments: number;
  readonly alarm: FalseAlarm | undefined;
  readonly times: readonly TimedTrial[];
};

/** Legal deployments that share a world. */
const perWorld = 5;

/** About a quarter of a run: judging all of it as traffic takes twice as long as the run itself. */
const bounds: RecordingBounds = { answersOfKind: 60, bytesOfKind: 64 * 1024 };

/**
 * Draws `cases` legal deployments from the seed and judges each by the suite, under a short load and as recorded traffic.
 * Stops at the first false alarm. `found` gets it as it was drawn, because shrinking it may take many minutes.
 */
export async function sweep(
  seed: number,
  cases: number,
  found: (alarm: FalseAlarm) => void,
  checks?: readonly Check[],
): Promise<SweepResult> {
  let alarm: FalseAlarm | undefined;
  let deployments = 0;
  const times: TimedTrial[] = [];
  const silent = fc.asyncProperty(drawnNeighbours(perWorld), async (world) => {
    for (const choices of world.choices) {
      if (alarm === undefined && deployments === cases) break;
      deployments += alarm === undefined ? 1 : 0;
      const trial = { seed: world.seed, faults: [], choices };
      const judged = await judgeLegal(trial, checks);
      times.push({ trial, seconds: judged.seconds });
      if (judged.alarm === undefined) continue;
      if (alarm === undefined) found(judged.alarm);
      alarm = judged.alarm;
      return false;
    }
    return true;
  });
  await fc.check(silent, { seed, numRuns: Math.ceil(cases / perWorld) });
  return { deployments, alarm, times };
}

/** The accusations of a legal deployment; undefined where there are none. */
export async function falseAlarm(trial: Trial): Promise<FalseAlarm | undefined> {
  return (await judgeLegal(trial, undefined)).alarm;
}

async function judgeLegal(
  trial: Trial,
  checks: readonly Check[] | undefined,
): Promise<{ readonly alarm: FalseAlarm | undefined; readonly seconds: number }> {
  const judged = await judgeDeployment(trial, bounds, checks);
  const accused = accusationsOfAll(judged, trial.choices);
  return { alarm: accused && { trial, accused }, seconds: judged.seconds };
}
