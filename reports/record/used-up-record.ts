import type { UsedUp } from '../../engine/session/used-up.ts';
import type { UsedUpRecord } from './record.ts';

/** Things of each kind that a record tells. */
const maxTold = 1000;

/** What a run used up, as it stands in its record: bounded, like everything there. */
export function usedUpRecord({ runId, deletions, attachments, messages }: UsedUp): UsedUpRecord {
  return {
    runId,
    deletions: deletions.slice(0, maxTold).map((each) => ({ ...each })),
    attachments: attachments.slice(0, maxTold).map((each) => ({ ...each })),
    messages: messages.slice(0, maxTold).map((each) => ({ ...each })),
  };
}
