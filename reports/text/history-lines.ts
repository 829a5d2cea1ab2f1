import { shown } from '../../core/text.ts';
import type { VerdictHistory } from '../record/verdict-history-record.ts';
import { some } from './figures.ts';

type Place = VerdictHistory['fixed'][number]['failed'];

/** What earlier runs show, one sentence for each requirement; the failing ones first. */
export function historyLines({ failing, fixed, flips }: VerdictHistory): readonly string[] {
  return [
    ...failing.map(({ requirement, since, runs, lastPassed }) => {
      const before = lastPassed === undefined ? 'never passed before' : `last passed in ${named(lastPassed)}`;
      return `${shown(requirement, 120)} fails since ${named(since)}, in ${some(runs, 'run')}; it ${before}.`;
    }),
    ...fixed.map(
      ({ requirement, failed }) => `${shown(requirement, 120)} is fixed: it failed last in ${named(failed)}.`,
    ),
    ...flips.map(({ requirement, build, passed, violated, builds }) => {
      const others = builds === 1 ? '' : ` It flips on ${builds} builds.`;
      return (
        `${shown(requirement, 120)} flips: on build ${shown(build, 80)} it passed in ${some(passed, 'run')} and failed in ` +
        `${some(violated, 'run')}.${others}`
      );
    }),
  ];
}

function named({ build, at }: Place): string {
  const day = at.slice(0, 10);
  return build === '' ? `the run of ${at.slice(0, 16).replace('T', ' ')}` : `build ${shown(build, 80)} (${day})`;
}
