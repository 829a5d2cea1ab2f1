import type { CheckRecord } from '../../reports/record/record.ts';
import type { Target } from '../../core/target.ts';
import { shown } from '../../core/text.ts';
import { count, some } from '../../reports/text/figures.ts';
import type { Rehearsal } from '../run/rehearse.ts';
import { good, type Line, plain } from './line.ts';
import { listed } from '../../reports/text/some-of.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

/** What a run would send and use up. */
export function planLines(
  { reads, writes, accepted, usedUp, durationMs, rateProbeRequests }: Rehearsal,
  target: Target,
): readonly Line[] {
  const { messages, deletions, attachments } = writes;
  const requests = reads + messages + deletions + attachments;
  const chats = usedUp.messages.length;
  return [
    plain(`about ${count(requests)} requests in ${spokenDuration(durationMs)}, ${count(reads)} of them reads`),
    plain(
      messages === 0
        ? 'no messages'
        : `${count(messages)} message requests${chats === 0 ? '' : ` to ${some(chats, 'chat')}`}: ${count(accepted)} new messages are accepted, the other requests repeat a message or are refused`,
    ),
    plain(
      useOf(
        'deletion',
        deletions,
        usedUp.deletions.map(({ dataSourceId }) => dataSourceId),
      ),
    ),
    plain(
      useOf(
        'attachment',
        attachments,
        usedUp.attachments.map(({ organizationId }) => organizationId),
      ),
    ),
    ...(rateProbeRequests === 0
      ? []
      : [
          plain(
            `up to ${count(rateProbeRequests)} more reads at once, to find the rate limit (limits.rateProbeRequests)`,
          ),
        ]),
    ...(Number.isFinite(target.limits.maxRequestsPerSecond)
      ? [plain(`${paceOf(target)}${rateProbeRequests === 0 ? '' : '; a higher quota is not found'}`)]
      : []),
  ];
}

function paceOf({ limits }: Target): string {
  return `at most ${limits.maxRequestsPerSecond} a second (limits.maxRequestsPerSecond)`;
}

/** At most this many reasons are shown. */
const maxReasons = 16;

/** The checks that would be blocked, by reason; the reason that blocks most comes first. */
export function blockedLines({ blocked, checks, leftOut }: Rehearsal): readonly Line[] {
  if (blocked.length === 0) {
    const rest = leftOut === 0 ? '' : ` of this forecast, which leaves out ${some(leftOut, 'check')} of the rate limit`;
    return [good(`nothing blocks any of the ${checks} checks${rest}`)];
  }
  const ordered = blocked.toSorted((a, b) => b.checks.length - a.checks.length);
  const further = ordered.slice(maxReasons).reduce((sum, { checks: own }) => sum + own.length, 0);
  return [
    ...ordered.slice(0, maxReasons).flatMap(({ reason, checks: own }) => {
      const amount = `${some(own.length, 'check')}${ofShoulds(own)}`;
      const ids = own.map(({ id }) => id);
      return [plain(shown(reason, 400)), plain(`  ${amount}: ${listed(ids, 4)}`)];
    }),
    ...(further === 0 ? [] : [plain(`and ${ordered.length - maxReasons} more reasons, for ${further} checks`)]),
  ];
}

function ofShoulds(checks: readonly CheckRecord[]): string {
  const shoulds = checks.filter(({ level }) => level === 'should').length;
  if (shoulds === 0) return '';
  return shoulds === checks.length ? ' (should)' : `, ${shoulds} of them should`;
}

function useOf(what: string, requests: number, names: readonly string[]): string {
  if (requests === 0) return `no ${what}s`;
  return `${count(requests)} ${what} requests, which use up ${names.length === 0 ? 'nothing' : listed(names)}`;
}
