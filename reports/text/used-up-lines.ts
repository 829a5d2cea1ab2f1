import { shown } from '../../core/text.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';

/** Things of one kind that are named in a line. */
const maxNamed = 12;

/** What a run used up, a line for each kind of thing: what the next run needs others for, and what it wrote. */
export function usedUpLines({ runId, deletions, attachments, messages }: UsedUp): readonly string[] {
  const count = messages.reduce((sum, each) => sum + each.count, 0);
  const deleted = deletions.map((each) => `${each.dataSourceId} of ${each.organizationId}${doubt(each.certain)}`);
  const attached = attachments.map(
    (each) => `${each.organizationId} to ${each.billingAccountId}${doubt(each.certain)}`,
  );
  return [
    ...(deleted.length === 0 ? [] : [`data sources deleted: ${named(deleted)}`]),
    ...(attached.length === 0 ? [] : [`organizations attached: ${named(attached)}`]),
    ...(count === 0
      ? []
      : [
          `${count} ${count === 1 ? 'message' : 'messages'} sent to ${named(messages.map(({ chatId }) => chatId))}; the idempotency keys of this run begin with awc-${shown(runId, 40)}`,
        ]),
  ];
}

function doubt(certain: boolean): string {
  return certain ? '' : ' (perhaps: no answer told)';
}

function named(texts: readonly string[]): string {
  const some = texts.slice(0, maxNamed).map((text) => shown(text, 100));
  return texts.length > maxNamed ? `${some.join(', ')} and ${texts.length - maxNamed} more` : some.join(', ');
}
