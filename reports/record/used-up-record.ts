import type { Changes } from '../../engine/session/change-ledger.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';
import type { ChangesRecord, UsedUpRecord } from './record.ts';

/** Bounds each list. */
const maxListed = 1000;

/** The used-up fixtures as they stand in the record of a run: bounded, like everything there. */
export function usedUpRecord({ runId, ...changes }: UsedUp): UsedUpRecord {
  return { runId, ...changesRecord(changes) };
}

/** The same of a load, which has several keys. */
export function changesRecord({ deletions, attachments, messages }: Changes): ChangesRecord {
  return {
    deletions: deletions.slice(0, maxListed).map((each) => ({ ...each })),
    attachments: attachments.slice(0, maxListed).map((each) => ({ ...each })),
    messages: messages.slice(0, maxListed).map((each) => ({ ...each })),
  };
}
