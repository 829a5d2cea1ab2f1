import { sha256 } from '../core/hash.ts';
import { shown } from '../core/text.ts';
import type { RunFile } from './bundle/run-file-schema.ts';

/** The seed of a run that answers a challenge: the first 32 bits of the SHA-256 of its text. */
export function seedOfChallenge(challenge: string): number {
  return Number.parseInt(sha256(challenge).slice(0, 8), 16);
}

/** Why a run does not answer the challenge that it names, or the one that a verifier expects. Undefined if it does. */
export function challengeProblem({ challenge, seed }: RunFile, expected: string | undefined): string | undefined {
  if (expected !== undefined && challenge !== expected) {
    const given = challenge === undefined ? 'no challenge' : `the challenge ${shown(challenge)}`;
    return `the run answers ${given} instead of ${shown(expected)}`;
  }
  if (challenge === undefined || seed === seedOfChallenge(challenge)) return undefined;
  return 'the seed in run.json does not follow from the challenge';
}
