import type { HttpRequest } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Outcome } from './outcome.ts';

/** A slow request, and the trace by which its deployment may know why. */
export type SlowRequest = {
  readonly operation: Operation;
  readonly outcome: Outcome;
  /** When it was scheduled, since the measured part began. */
  readonly atMs: number;
  readonly latencyMs: number;
  readonly serviceMs: number;
  readonly traceId: string;
};

/** A request or a step that is over. */
export type EndedRequest = Pick<SlowRequest, 'operation' | 'outcome'> & {
  /** When it was scheduled, since the measured part began; below 0 it belongs to the warm-up. */
  readonly atMs: number;
  /** From the scheduled instant until its answer was complete or given up. */
  readonly latencyMs: number;
  /** From the moment it was sent; undefined when it never was. */
  readonly serviceMs: number | undefined;
  /** Makes the request with its trace; undefined when it was never sent. */
  readonly sent?: (() => HttpRequest) | undefined;
};

export type Slowest = {
  readonly offer: (ended: EndedRequest) => void;
  /** By operation, the slowest first. */
  readonly all: () => readonly SlowRequest[];
};

/** So many requests of each operation are kept. */
export const mostSlowest = 5;

/** Keeps the slowest requests of each operation. Of all others it only compares the latency. */
export function createSlowest(): Slowest {
  const kept = new Map<Operation, SlowRequest[]>();
  return {
    offer({ operation, outcome, atMs, latencyMs, serviceMs, sent }) {
      const own = kept.get(operation) ?? [];
      if (latencyMs <= (own[mostSlowest - 1]?.latencyMs ?? -Infinity)) return;
      const traceId = sent?.().trace?.traceId;
      if (traceId === undefined || serviceMs === undefined) return;
      const place = own.findLastIndex((other) => other.latencyMs >= latencyMs) + 1;
      own.splice(place, 0, { operation, outcome, atMs, latencyMs, serviceMs, traceId });
      if (own.length > mostSlowest) own.pop();
      kept.set(operation, own);
    },
    all: () => [...kept.values()].flat(),
  };
}

/** Of the slowest requests of several parts, those of the whole. */
export function slowestOf<Request extends Pick<SlowRequest, 'operation' | 'latencyMs'>>(
  requests: readonly Request[],
): Request[] {
  return [...Map.groupBy(requests, ({ operation }) => operation).values()].flatMap((own) =>
    own.toSorted((one, other) => other.latencyMs - one.latencyMs).slice(0, mostSlowest),
  );
}
