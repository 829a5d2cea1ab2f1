import { createHistogram, histogramSince, mergeHistograms } from '../measure/histogram.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import { isShareOf } from '../measure/outcome.ts';
import { isMet, type Threshold } from '../profile/threshold.ts';
import { ownLagMs } from './doubt.ts';
import { countOf, type Measured, selected, timesOf } from './measured.ts';

/** The conditions cover the requests that ended since this many looks, and need this many of them. */
export const lastLooks = 5;
const leastEnded = 50;

/** How many requests a condition needs among those that ended since the last looks; one of a part of them needs as many of that part. */
export function leastEndedFor({ measure }: Threshold): number {
  return 'point' in measure ? Math.max(leastEnded, leastCount(measure.point)) : leastEnded;
}

/** The conditions that a load of at most so many requests a second never has enough requests for. Its looks are a second apart. */
export function neverJudged(conditions: readonly Threshold[], peakPerSecond: number): readonly Threshold[] {
  return conditions.filter((condition) => leastEndedFor(condition) > lastLooks * peakPerSecond);
}

type Ended = Pick<Measured, 'operations' | 'steps' | 'lag' | 'rateLimitedIsError'>;

/**
 * Looks at a run, at equal intervals, for the first condition that is true for the requests that ended lately. When they were
 * scheduled does not matter: a target that stops answering shows when its requests time out, long after they were sent.
 */
export function watchConditions(conditions: readonly Threshold[], ended: Ended): () => Threshold | undefined {
  const lately = conditions.map((condition) => valuesLately(condition, ended));
  return () => {
    const values = lately.map((look) => look());
    return conditions.find((condition, place) => {
      const found = values[place] ?? [];
      return found.length > 0 && found.every((value) => isMet(condition, value));
    });
  };
}

/**
 * What a condition measures, of the requests that ended since the last looks; nothing if they are too few. A time is given with and
 * without what the generator may have added to it.
 */
function valuesLately(condition: Threshold, ended: Ended): () => readonly number[] {
  const { measure } = condition;
  const measured = () => selected(ended, condition);
  switch (measure.kind) {
    case 'latency':
    case 'service': {
      const least = leastEndedFor(condition);
      const look = sinceLastLooks(createHistogram(), () => timesOf(measured(), measure.kind));
      const lookAtLag = sinceLastLooks(createHistogram(), () => mergeHistograms([ended.lag]));
      return () => {
        const times = look();
        const lag = lookAtLag();
        if (times.now.totalCount - times.before.totalCount < least) return [];
        const value = pointOf(histogramSince(times.now, times.before), measure.point);
        return [value, Math.max(0, value - ownLagMs(measure, histogramSince(lag.now, lag.before)))];
      };
    }
    case 'share': {
      const look = sinceLastLooks({ all: 0, counted: 0 }, () => ({
        all: countOf(measured(), () => true),
        counted: countOf(measured(), (kind) => isShareOf(kind, measure.of, ended.rateLimitedIsError)),
      }));
      return () => {
        const { before, now } = look();
        const all = now.all - before.all;
        return all >= leastEnded ? [(now.counted - before.counted) / all] : [];
      };
    }
    case 'throughput':
    case 'violations':
      throw new Error(`a condition that was not checked: ${condition.text}`);
  }
}

/** A total at each look, and the one that many looks before. */
function sinceLastLooks<Total>(nothing: Total, total: () => Total) {
  const looks = [nothing];
  return () => {
    const now = total();
    const before = looks[0] ?? nothing;
    looks.push(now);
    if (looks.length > lastLooks) looks.shift();
    return { before, now };
  };
}
