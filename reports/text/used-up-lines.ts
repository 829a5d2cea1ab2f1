import { shown } from '../../core/text.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';
import { some } from './figures.ts';

/** Bounds the things that a line names. */
const maxNamed = 5;

/** The fixtures that a run used up, which the next run needs others for, and where it wrote: a line for each kind. */
export function usedUpLines({ runId, deletions, attachments, messages }: UsedUp): readonly string[] {
  const sent = messages.reduce((sum, each) => sum + each.count, 0);
  const deleted = deletions.map((each) => `${each.dataSourceId} of ${each.organizationId}${doubt(each.certain)}`);
  const attached = attachments.map(
    (each) => `${each.organizationId} to ${each.billingAccountId}${doubt(each.certain)}`,
  );
  const chats = messages.map(({ chatId }) => chatId);
  return [
    ...(deleted.length === 0 ? [] : [`deleted data sources: ${named(deleted)}`]),
    ...(attached.length === 0 ? [] : [`attached organizations: ${named(attached)}`]),
    ...(sent === 0
      ? []
      : [`${some(sent, 'message')} sent to ${named(chats)}; idempotency keys begin with awc-${shown(runId, 40)}`]),
  ];
}

function doubt(certain: boolean): string {
  return certain ? '' : ' (perhaps: no conclusive answer)';
}

function named(texts: readonly string[]): string {
  const line = texts.slice(0, maxNamed).map((text) => shown(text, 100));
  return texts.length > maxNamed ? `${line.join(', ')} and ${texts.length - maxNamed} more` : line.join(', ');
}
