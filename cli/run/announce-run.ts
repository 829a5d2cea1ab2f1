import type { Budget } from '../../suites/plan.ts';
import type { Forecast } from './forecast.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

/** What a run is about to do to a target, as one line. */
export function announcement(expected: Forecast, checks: number, budget: Budget | undefined): string {
  const { reads, durationMs } = expected;
  const { messages, deletions, attachments } = expected.writes;
  const left = Object.keys(budget?.leftOut ?? {}).length;
  const which = left === 0 ? `${checks} checks` : `${checks - left} of ${checks} checks, the rest for want of time`;
  const writes = `${messages} of messages, ${deletions} of deletions, ${attachments} of attachments`;
  return `${which}: about ${reads} reading requests and ${writes} in about ${spokenDuration(durationMs)}\n`;
}
