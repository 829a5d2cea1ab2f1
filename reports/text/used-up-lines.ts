import { shown } from '../../core/text.ts';
import type { Changes } from '../../engine/session/change-ledger.ts';
import { some } from './figures.ts';
import { listed } from './some-of.ts';

/** Bounds the things that a line names. */
const maxNamed = 5;

/** What a run or a load changed. Only a run has one beginning of all its keys. */
export type ShownChanges = Changes & { readonly runId?: string };

/** The fixtures that a run used up, which the next run needs others for, and where it wrote: a line for each kind. */
export function usedUpLines({ runId = '', deletions, attachments, messages }: ShownChanges): readonly string[] {
  const sent = messages.reduce((sum, each) => sum + each.count, 0);
  const deleted = deletions.map((each) => `${each.dataSourceId} of ${each.organizationId}${doubt(each.certain)}`);
  const attached = attachments.map(
    (each) => `${each.organizationId} to ${each.billingAccountId}${doubt(each.certain)}`,
  );
  const chats = messages.map(({ chatId }) => chatId);
  return [
    ...(deleted.length === 0 ? [] : [`deleted data sources: ${listed(deleted.map(nameText), maxNamed)}`]),
    ...(attached.length === 0 ? [] : [`attached organizations: ${listed(attached.map(nameText), maxNamed)}`]),
    ...(sent === 0
      ? []
      : [
          `${some(sent, 'message')} sent to ${listed(chats.map(nameText), maxNamed)}; idempotency keys begin with awc-${shown(runId, 40)}`,
        ]),
  ];
}

function doubt(certain: boolean): string {
  return certain ? '' : ' (perhaps: no conclusive answer)';
}

function nameText(text: string): string {
  return shown(text, 100);
}
