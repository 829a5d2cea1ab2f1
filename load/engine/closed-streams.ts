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
  let underWay = 0;
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
    underWay += 1;
    host.sent(request, sentAt);
    const giveUp = sockets.send(
      request.request,
      () => {},
      (arrived) => {
        clearTimeout(timer);
        if (isStopped) return;
        underWay -= 1;
        done(arrived.outcome, arrived.body);
        host.over(request, arrived, sentAt, performance.now());
        if (arrived.outcome === 'refused') setTimeout(next, refusedPauseMs);
        else next();
      },
    );
    const timer = setTimeout(giveUp, request.request.timeoutMs);
  }

  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    sockets.close();
    for (let left = underWay; left > 0; left -= 1) host.unfinished();
    resolve();
  }

  for (let count = 0; count < connections; count += 1) next();
  return { ended, stop };
}
