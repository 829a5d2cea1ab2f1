import type { PartClock } from '../../reports/load/load-record.ts';

const exchanges = 8;

/**
 * Compares a clock with the coordinator's, as NTP does: of a few exchanges, the one with the shortest round trip is the most
 * accurate. The coordinator read its clock at some time in the round trip, so the uncertainty is half of the round trip.
 */
export async function measureOffset(coordinatorNow: () => Promise<number>, now: () => number): Promise<PartClock> {
  let best: PartClock | undefined;
  for (let round = 0; round < exchanges; round += 1) {
    const sentAt = now();
    const theirs = await coordinatorNow();
    const uncertaintyMs = Math.max(0, (now() - sentAt) / 2);
    if (best === undefined || uncertaintyMs < best.uncertaintyMs)
      best = { offsetMs: theirs - sentAt - uncertaintyMs, uncertaintyMs };
  }
  if (best === undefined) throw new Error('no exchange was made');
  return best;
}
