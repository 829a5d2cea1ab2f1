import { type Operation, operations } from '../../spec/requirement.ts';
import { sharesOfPoints } from './distribution-record.ts';
import type { LoadRecord } from './load-record.ts';

/** The limit of a threshold that a chart can show. */
export type Limit = {
  readonly text: string;
  /** In the unit of the chart. */
  readonly at: number;
};

type Point = keyof typeof sharesOfPoints;
const pointNames = Object.keys(sharesOfPoints);

export type LatencyLimit = Limit & {
  readonly point: Point;
  /** The share of requests that it is about. */
  readonly share: number;
  /** Undefined if it is about all operations. */
  readonly operation: Operation | undefined;
};

/** The thresholds of latencies, in milliseconds, of all requests or of one operation. */
export function latencyLimits({ thresholds }: Pick<LoadRecord, 'thresholds'>): readonly LatencyLimit[] {
  return thresholds.flatMap(({ text, limit: at }) => {
    const [, name, written] = /^(?:(\w+)\.)?latency\.(\w+)\s*</.exec(text) ?? [];
    const point = pointOf(written);
    const operation = operations.find((candidate) => candidate === name);
    if (at === undefined || point === undefined || (name !== undefined && operation === undefined)) return [];
    return [{ text, at, point, share: sharesOfPoints[point], operation }];
  });
}

function pointOf(written: string | undefined): Point | undefined {
  return pointNames.find((name): name is Point => name === written);
}

/** The thresholds of successes per second. */
export function throughputLimits({ thresholds }: Pick<LoadRecord, 'thresholds'>): readonly Limit[] {
  return thresholds.flatMap(({ text, limit: at }) =>
    at !== undefined && text.startsWith('throughput') ? [{ text, at }] : [],
  );
}
