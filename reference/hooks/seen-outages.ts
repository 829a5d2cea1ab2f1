import type { OutageKind } from '../../core/outages.ts';
import type { Request } from '../http/request.ts';

/** An outage that begins, `at` milliseconds of the clock. See `core/outages.ts` for the seconds. */
export type Outage = { readonly kind: OutageKind; readonly at: number; readonly seconds: number };

/** Remembers the outages of a deployment. All times are in milliseconds of the clock. */
export function seenOutages() {
  const outages: Outage[] = [];
  const movedBy = (at: number): number => {
    const moves = outages.filter((outage) => outage.kind === 'clock' && outage.at <= at);
    return moves.reduce((ms, { seconds }) => ms + seconds * 1000, 0);
  };
  const wall = (at: number): number => at + movedBy(at);
  return {
    onOutage: (outage: Outage): void => void outages.push(outage),
    /** When the latest of that kind began; Infinity before the first. */
    latest: (kind: OutageKind): number => outages.findLast((outage) => outage.kind === kind)?.at ?? Infinity,
    /** Whether an outage of any kind was over by then, for less than so many milliseconds. */
    isOver: (at: number, withinMs = Infinity): boolean =>
      outages.some((outage) => {
        const overAt = outage.at + (outage.kind === 'pause' ? outage.seconds * 1000 : 0);
        return at >= overAt && at < overAt + withinMs;
      }),
    /** Whether the request was sent during a pause. */
    met: ({ at }: Request): boolean =>
      outages.some((outage) => outage.kind === 'pause' && at >= outage.at && at < outage.at + outage.seconds * 1000),
    /** By how much the wall clock had been moved then. */
    movedBy,
    /** The wall clock then. */
    wall,
    /** The wall clock then, but never before an instant that was shown earlier: it stands still until it has caught up. */
    shown: (at: number): number => {
      const moves = outages.filter((outage) => outage.kind === 'clock' && outage.at <= at);
      return Math.max(wall(at), ...moves.map((move) => wall(move.at) - move.seconds * 1000));
    },
  };
}
