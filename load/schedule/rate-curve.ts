import type { Stage } from '../profile/profile.ts';

/** A rate that changes over time, and the same the other way round. */
export type RateCurve = {
  readonly durationMs: number;
  /** How many requests are due by then, with fractions. Never falls. */
  readonly dueBy: (ms: number) => number;
  /** When that many are due; Infinity when they never are. */
  readonly timeOf: (due: number) => number;
};

type Piece = {
  readonly startMs: number;
  readonly overMs: number;
  /** Requests due before this piece. */
  readonly before: number;
  readonly fromPerMs: number;
  readonly toPerMs: number;
};

/**
 * The rate as a broken line; what is due by an instant is the area under it:
 *
 *     rate │      ╱▔▔▔▔▔╲          dueBy(t)  = area left of t
 *          │▁▁▁▁╱   area  ╲▁▁▁     timeOf(n) = where that area is n
 *          └───────────────────t
 */
export function rateCurve(fromPerSecond: number, stages: readonly Stage[]): RateCurve {
  const pieces: Piece[] = [];
  let startMs = 0;
  let before = 0;
  let fromPerMs = fromPerSecond / 1000;
  for (const { ratePerSecond, overMs } of stages) {
    const toPerMs = ratePerSecond / 1000;
    if (overMs > 0) pieces.push({ startMs, overMs, before, fromPerMs, toPerMs });
    startMs += overMs;
    before += ((fromPerMs + toPerMs) / 2) * overMs;
    fromPerMs = toPerMs;
  }
  return {
    durationMs: startMs,
    dueBy(ms) {
      const piece = pieces.findLast((candidate) => candidate.startMs <= ms);
      return piece === undefined ? 0 : piece.before + areaWithin(piece, Math.min(ms - piece.startMs, piece.overMs));
    },
    timeOf(due) {
      if (due > before) return Number.POSITIVE_INFINITY;
      const piece = pieces.findLast((candidate) => candidate.before <= due);
      return piece === undefined ? Number.POSITIVE_INFINITY : piece.startMs + timeWithin(piece, due - piece.before);
    },
  };
}

function areaWithin({ fromPerMs, toPerMs, overMs }: Piece, ms: number): number {
  const slope = (toPerMs - fromPerMs) / overMs;
  return fromPerMs * ms + (slope * ms * ms) / 2;
}

/** The root of `from·t + slope·t²/2 = area`, in the form that stays exact when the slope is small. */
function timeWithin({ fromPerMs, toPerMs, overMs }: Piece, area: number): number {
  const slope = (toPerMs - fromPerMs) / overMs;
  const root = Math.sqrt(Math.max(0, fromPerMs * fromPerMs + 2 * slope * area));
  const ms = area === 0 ? 0 : (2 * area) / (fromPerMs + root);
  return Math.min(ms, overMs);
}
