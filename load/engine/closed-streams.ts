import type { Route } from '../../core/target.ts';
import { type ClosedHost, laterMs, refusedPauseMs } from './closed-client.ts';
import { openSockets } from './sockets.ts';

/** What keeps the connections of a closed load busy, until it is stopped. */
export type ClosedDriver = { readonly ended: Promise<void>; readonly stop: () => void };

const connectTimeoutMs = 10_000;

/** Keeps so many streams of HTTP/2 busy, or connections where the server chooses HTTP/1.1. autocannon has no HTTP/2. */
export function driveStreams(route: Route, connections: number, host: ClosedHost): ClosedDriver {
  const sockets = openSockets(route, connections, connectTimeoutMs);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  /** The timer of each request under way. */
  const underWay = new Set<NodeJS.Timeout>();
  let isStopped = false;

  function next(): void {
    if (isStopped) return;
    const waitMs = host.gate();
    const planned = waitMs > 0 ? 'later' : host.next();
    if (planned === undefined) return;
    if (planned === 'later') {
      setTimeout(next, waitMs > 0 ? waitMs : laterMs);
      return;
    }
    const { request, done } = planned;
    const sentAt = performance.now();
    host.sent(request, sentAt);
    const giveUp = sockets.send(
      request.request,
      () => {},
      (arrived) => {
        if (isStopped) return;
        clearTimeout(timer);
        underWay.delete(timer);
        done(arrived.outcome, arrived.body);
        host.over(request, arrived, sentAt, performance.now());
        if (arrived.outcome === 'refused') setTimeout(next, refusedPauseMs);
        else next();
      },
    );
    const timer = setTimeout(giveUp, request.request.timeoutMs);
    underWay.add(timer);
  }

  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    sockets.close();
    for (const timer of underWay) {
      clearTimeout(timer);
      host.unfinished();
    }
    resolve();
  }

  for (let count = 0; count < connections; count += 1) next();
  return { ended, stop };
}
