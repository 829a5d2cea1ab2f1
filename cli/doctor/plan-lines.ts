import type { CheckRecord } from '../../reports/record/record.ts';
import type { Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import type { Rehearsal } from '../run/rehearse.ts';
import { good, type Line, listed, plain } from './line.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

/** What a run would send, change and take. */
export function planLines(
  { reads, writes, usedUp, durationMs, rateProbeRequests }: Rehearsal,
  target: Target,
): readonly Line[] {
  const { messages, deletions, attachments } = writes;
  const requests = reads + messages + deletions + attachments;
  const chats = usedUp.messages.length;
  return [
    plain(`about ${number(requests)} requests in ${spokenDuration(durationMs)}: ${number(reads)} read`),
    plain(
      `${number(messages)} send a message${chats === 0 ? '' : `, to ${chats} ${chats === 1 ? 'chat' : 'chats'}`}; most of these are wrong on purpose or repeated`,
    ),
    plain(`${number(deletions)} try to delete: ${used(usedUp.deletions.map(({ dataSourceId }) => dataSourceId))}`),
    plain(
      `${number(attachments)} try to attach: ${used(usedUp.attachments.map(({ organizationId }) => organizationId))}`,
    ),
    ...(rateProbeRequests === 0
      ? []
      : [
          plain(
            `up to ${number(rateProbeRequests)} more read, at once, until the rate limit is met (limits.rateProbeRequests)`,
          ),
        ]),
    ...(Number.isFinite(target.limits.maxRequestsPerSecond)
      ? [plain(`at most ${target.limits.maxRequestsPerSecond} a second (limits.maxRequestsPerSecond)`)]
      : []),
  ];
}

/** Reasons that are told. */
const maxReasons = 16;

/** What will not be judged, the most telling way to unblock something first. */
export function blockedLines({ blocked, checks }: Rehearsal): readonly Line[] {
  if (blocked.length === 0) return [good(`none of the ${checks} checks`)];
  const ordered = blocked.toSorted((a, b) => b.checks.length - a.checks.length);
  const further = ordered.slice(maxReasons).reduce((sum, { checks: own }) => sum + own.length, 0);
  return [
    ...ordered.slice(0, maxReasons).flatMap(({ reason, checks: own }) => {
      const count = `${own.length} ${own.length === 1 ? 'check' : 'checks'}${ofShoulds(own)}`;
      const ids = own.map(({ id }) => id);
      return [plain(shown(reason, 400)), plain(`  ${count}: ${listed(ids, 4)}`)];
    }),
    ...(further === 0 ? [] : [plain(`and ${ordered.length - maxReasons} more reasons, for ${further} checks`)]),
  ];
}

function ofShoulds(checks: readonly CheckRecord[]): string {
  const shoulds = checks.filter(({ level }) => level === 'should').length;
  if (shoulds === 0) return '';
  return shoulds === checks.length ? ' of shoulds' : `, ${shoulds} of them of shoulds`;
}

function used(names: readonly string[]): string {
  return names.length === 0 ? 'nothing is used up' : `${listed(names)} ${names.length === 1 ? 'is' : 'are'} used up`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
