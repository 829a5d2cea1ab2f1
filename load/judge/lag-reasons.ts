import { leastCount, pointOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';

/** Lag under so many milliseconds is nobody's concern. */
const leastLagMs = { p50: 2, p99: 10 } as const;
/** Lag over this share of the figure that it distorts is. */
const mostLagShare = 0.1;

/** Why requests left so late that the latencies of the answers that users wait for are the generator's own. */
export function lagReasons(lag: TimeHistogram, latency: TimeHistogram): readonly string[] {
  return (['p50', 'p99'] as const).flatMap((point) => {
    const lagMs = pointOf(lag, point);
    const distorts = lagMs > mostLagShare * pointOf(latency, point);
    if (lag.totalCount < leastCount(point) || lagMs <= leastLagMs[point] || !distorts) return [];
    return [
      `requests left ${lagMs.toFixed(1)} ms late (${point}), over a tenth of the latency that this would be part of`,
    ];
  });
}
