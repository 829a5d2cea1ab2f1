import type { Check } from '../engine/check.ts';
import { createRecording, type RecordingBounds } from './recording.ts';
import { shortLoad } from './short-load.ts';
import { type Finding, timeTrial, type Trial } from './trial.ts';

/** Who judges answers: the suite, the validator of a load, and the rules for recorded traffic. */
export const judges = ['suite', 'load', 'traffic'] as const;

export type Findings = Readonly<Record<(typeof judges)[number], readonly Finding[]>>;

/** The findings, and how long the suite took in virtual time, in seconds. */
type Judged = Findings & { readonly seconds: number };

/** Judges a deployment by all three. The traffic is the recording of the suite's own run. */
export async function judgeDeployment(
  trial: Trial,
  bounds: RecordingBounds,
  checks?: readonly Check[],
): Promise<Judged> {
  const { through, findings } = createRecording(bounds);
  const { findings: suite, seconds } = await timeTrial(trial, { through, checks });
  return { suite, load: await shortLoad(trial), traffic: findings(), seconds };
}
