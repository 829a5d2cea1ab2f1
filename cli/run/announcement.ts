import type { Budget } from '../../suites/plan.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';
import type { Forecast } from './forecast.ts';

/** What a run is about to do to a target, as one line. */
export function announcement(expected: Forecast, checks: number, budget?: Budget): string {
  const { reads, accepted, durationMs } = expected;
  const { messages, deletions, attachments } = expected.writes;
  const left = Object.keys(budget?.leftOut ?? {}).length;
  const which =
    left === 0 ? `${checks} checks` : `${checks - left} of ${checks} checks, the rest do not fit in the budget`;
  const requests = [
    [reads, 'reads'],
    [messages, `messages (${accepted} accepted)`],
    [deletions, 'deletions'],
    [attachments, 'attachments'],
  ] as const;
  const sent = requests.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ');
  return `${which}: about ${sent} in about ${spokenDuration(durationMs)}\n`;
}
