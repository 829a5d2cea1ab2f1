import { runTrial, type TrialOptions } from '../proof/trial.ts';
import { suites } from '../suites/index.ts';

type Said = Pick<TrialOptions, 'part' | 'through'> & {
  readonly seed?: number;
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  /** Other checks that run in the same run. */
  readonly after?: readonly string[];
};

/** For tests: what the check with that id says of a reference, such as `failed: expected 200; got 500`; nothing if it passed. */
export async function saidBy(
  id: string,
  { seed = 1, faults = [], choices = {}, after = [], ...options }: Said,
): Promise<readonly string[]> {
  const checks = suites.filter((check) => check.id === id || after.includes(check.id));
  if (!checks.some((check) => check.id === id)) throw new Error(`there is no check ${id}`);
  const findings = await runTrial({ seed, faults, choices }, { checks, ...options });
  return findings.filter(({ check }) => check === id).map(({ kind, text }) => `${kind}: ${text}`);
}
