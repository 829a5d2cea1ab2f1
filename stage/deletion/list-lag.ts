import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { patienceMs, waitedWithoutResult } from '../../engine/session/waits/patience.ts';
import { heardMs } from '../../promises/deletion.ts';

const awaited = 'a list after a deletion';

/** Waits until {@link heardMs} after the answer: by then every replica shows a change. */
export function untilHeard(api: Api, changed: Answer): Promise<void> {
  return untilAfter(api, changed, heardMs);
}

/** Whether the requests were sent when every replica shows a change. */
export function hasHeard(changed: Answer, later: readonly Answer[]): boolean {
  return later.every(({ exchange }) => exchange.sentAt >= changed.exchange.receivedAt + heardMs);
}

/**
 * Waits until every replica of the list must show this deletion, and for at least `leastMs`. The wait is shorter if a list still showed a
 * deleted data source after an earlier one. So it is only for checks that judge whether lists show deletions.
 */
export function untilShown(api: Api, deleted: Answer, leastMs = 0): Promise<void> {
  return untilAfter(api, deleted, patienceMs(api.session, awaited, heardMs), leastMs);
}

/** Remembers that a list still showed a deleted data source after the wait. */
export function rememberUnshown({ session }: Api): void {
  waitedWithoutResult(session, awaited);
}

async function untilAfter({ session: { clock } }: Api, { exchange }: Answer, ms: number, leastMs = 0): Promise<void> {
  await clock.sleep(Math.max(leastMs, exchange.receivedAt + ms - clock.now()));
}
