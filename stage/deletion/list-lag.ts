import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Session } from '../../engine/session/session.ts';
import { patienceMs, waitedWithoutResult } from '../../engine/session/patience.ts';
import { heardMs } from '../../promises/deletion.ts';

const awaited = 'a list after a deletion';

/** The time after a deletion by which every replica of a list must show it, in milliseconds. Shorter once a list never showed one. */
export function replicaLagMs(session: Session): number {
  return patienceMs(session, awaited, heardMs);
}

/** Waits until every replica of a list must show what the answer changed, and for at least that many milliseconds. */
export async function untilHeard({ session }: Api, { exchange }: Answer, leastMs = 0): Promise<void> {
  const { clock } = session;
  await clock.sleep(Math.max(leastMs, exchange.receivedAt + replicaLagMs(session) - clock.now()));
}

/** Remembers that a list showed a deleted data source as before when every replica must have shown the deletion. */
export function neverHeard({ session }: Api): void {
  waitedWithoutResult(session, awaited);
}
