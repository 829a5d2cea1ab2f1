import type { VerdictHistory } from '../record/verdict-history-record.ts';
import type { RunHistoryLine } from './run-history.ts';

type Verdict = RunHistoryLine['verdicts'][string];

/** A run that exercised a requirement. */
type Judged = { readonly build: string; readonly at: string; readonly isViolated: boolean };

/** Flips are looked for in this many of the latest runs. */
const latestRuns = 50;

/**
 * What runs of one target, oldest first, show about the last of them: since when its violated requirements are violated, which
 * are fixed, and which have both verdicts on one build. Runs that did not exercise a requirement do not count for it.
 */
export function verdictHistory(runs: readonly RunHistoryLine[]): VerdictHistory {
  const latest = runs.at(-1);
  const requirements = [...new Set(runs.flatMap(({ verdicts }) => Object.keys(verdicts)))].toSorted();
  const inLatest = requirements.filter((requirement) => isExercised(latest?.verdicts[requirement]));
  return {
    runs: runs.length,
    failing: inLatest.flatMap((requirement) => failing(requirement, judgedRuns(runs, requirement))),
    fixed: inLatest.flatMap((requirement) => fixed(requirement, judgedRuns(runs, requirement))),
    flips: requirements.flatMap((requirement) => flips(requirement, judgedRuns(runs.slice(-latestRuns), requirement))),
  };
}

function isExercised(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && verdict !== 'blocked' && verdict !== 'errored';
}

function judgedRuns(runs: readonly RunHistoryLine[], requirement: string): readonly Judged[] {
  return runs
    .filter(({ verdicts }) => isExercised(verdicts[requirement]))
    .map(({ build, at, verdicts }) => ({ build, at, isViolated: verdicts[requirement] !== 'passed' }));
}

function failing(requirement: string, judged: readonly Judged[]): VerdictHistory['failing'] {
  const passedAt = judged.findLastIndex(({ isViolated }) => !isViolated);
  const row = judged.slice(passedAt + 1);
  const [first] = row;
  if (first === undefined) return [];
  const lastPassed = judged[passedAt];
  return [
    {
      requirement,
      since: placeOf(first),
      runs: row.length,
      ...(lastPassed === undefined ? {} : { lastPassed: placeOf(lastPassed) }),
    },
  ];
}

function fixed(requirement: string, judged: readonly Judged[]): VerdictHistory['fixed'] {
  const [before, latest] = judged.slice(-2);
  if (before?.isViolated !== true || latest?.isViolated !== false) return [];
  // On one build nothing was repaired: the verdict flips.
  if (latest.build !== '' && latest.build === before.build) return [];
  return [{ requirement, failed: placeOf(before) }];
}

function flips(requirement: string, judged: readonly Judged[]): VerdictHistory['flips'] {
  const byBuild = Map.groupBy(
    judged.filter(({ build }) => build !== ''),
    ({ build }) => build,
  );
  const flipping = [...byBuild].filter(([, own]) => new Set(own.map(({ isViolated }) => isViolated)).size > 1);
  const [build, own] = flipping.at(-1) ?? [];
  if (build === undefined || own === undefined) return [];
  const violated = own.filter(({ isViolated }) => isViolated).length;
  return [{ requirement, build, passed: own.length - violated, violated, builds: flipping.length }];
}

function placeOf({ build, at }: Judged): { build: string; at: string } {
  return { build, at };
}
