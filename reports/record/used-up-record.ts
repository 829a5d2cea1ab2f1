import type { UsedUp } from '../../engine/session/used-up.ts';
import type { UsedUpRecord } from './record.ts';

/** Bounds each list. */
const maxListed = 1000;

/** The used-up fixtures as they stand in the record: bounded, like everything there. */
export function usedUpRecord({ runId, deletions, attachments, messages }: UsedUp): UsedUpRecord {
  return {
    runId,
    deletions: deletions.slice(0, maxListed).map((each) => ({ ...each })),
    attachments: attachments.slice(0, maxListed).map((each) => ({ ...each })),
    messages: messages.slice(0, maxListed).map((each) => ({ ...each })),
  };
}
