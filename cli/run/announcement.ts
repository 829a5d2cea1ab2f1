import { spokenDuration } from '../shared/spoken-duration.ts';
import type { Forecast } from './forecast.ts';

/** What a run is about to do to a target, as one line, and that its time may end it before. */
export function announcement(expected: Forecast, checks: number, budgetMs = Number.POSITIVE_INFINITY): string {
  const { reads, accepted, usedUp, durationMs } = expected;
  const { messages, deletions, attachments } = expected.writes;
  const requests = [
    [reads, 'reads'],
    [messages, `message requests (${accepted} accepted)`],
    [deletions, `deletion requests (${usedUp.deletions.length} carried out)`],
    [attachments, `attachment requests (${usedUp.attachments.length} carried out)`],
  ] as const;
  const sent = requests.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ');
  const end =
    durationMs < budgetMs
      ? ''
      : `; the budget ends it after ${spokenDuration(budgetMs)}, the most important checks run first`;
  return `${checks} checks: about ${sent} in about ${spokenDuration(durationMs)}${end}\n`;
}
