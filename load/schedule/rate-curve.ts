/** From the rate before, evenly to `ratePerSecond`, in that time; 0 ms is a jump. */
export type Stage = { readonly ratePerSecond: number; readonly overMs: number };

/** A rate that changes over time. */
export type RateCurve = {
  readonly durationMs: number;
  /** How many requests are scheduled in all, with fractions. */
  readonly total: number;
  /** When that many requests have been scheduled; Infinity beyond the total. */
  readonly timeOf: (scheduled: number) => number;
  /** The highest rate in a part of the time, per second. */
  readonly highestBetween: (fromMs: number, toMs: number) => number;
};

type Piece = {
  readonly startMs: number;
  readonly overMs: number;
  /** Requests scheduled before this piece. */
  readonly before: number;
  readonly fromPerMs: number;
  readonly toPerMs: number;
};

/**
 * The rate over time is a line through the stages; the area under it is the number of requests scheduled until then:
 *
 *     rate │      ╱▔▔▔▔▔╲          total     = the whole area
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
    total: before,
    timeOf(scheduled) {
      if (scheduled > before) return Number.POSITIVE_INFINITY;
      const piece = pieceOf(pieces, scheduled);
      return piece === undefined
        ? Number.POSITIVE_INFINITY
        : piece.startMs + timeWithin(piece, scheduled - piece.before);
    },
    highestBetween(fromMs, toMs) {
      const own = pieces.filter(({ startMs: start, overMs }) => start < toMs && start + overMs > fromMs);
      return Math.max(
        0,
        ...own.flatMap((piece) => [
          ratePerSecondAt(piece, Math.max(fromMs, piece.startMs)),
          ratePerSecondAt(piece, Math.min(toMs, piece.startMs + piece.overMs)),
        ]),
      );
    },
  };
}

/** The last piece that begins with at most so many scheduled. Each arrival looks for it, so a search through all pieces takes too long. */
function pieceOf(pieces: readonly Piece[], scheduled: number): Piece | undefined {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pieces[middle]?.before ?? 0) <= scheduled) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}

function ratePerSecondAt({ startMs, overMs, fromPerMs, toPerMs }: Piece, ms: number): number {
  return 1000 * (fromPerMs + ((toPerMs - fromPerMs) * (ms - startMs)) / overMs);
}

/** The root of `from·t + slope·t²/2 = area`, in the form that is exact for small slopes too. */
function timeWithin({ fromPerMs, toPerMs, overMs }: Piece, area: number): number {
  const slope = (toPerMs - fromPerMs) / overMs;
  const root = Math.sqrt(Math.max(0, fromPerMs * fromPerMs + 2 * slope * area));
  const ms = area === 0 ? 0 : (2 * area) / (fromPerMs + root);
  return Math.min(ms, overMs);
}
