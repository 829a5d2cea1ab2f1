/** For the tests of routes: sends one request in each way that the project has. */
import { onTestFinished } from 'vitest';
import { TransportError } from '../../core/http.ts';
import { networkDeployment } from '../../core/network/network.ts';
import type { Principal, Route } from '../../core/target.ts';
import { runClosed } from '../../load/engine/closed-engine.ts';
import { type Arrived, openSockets } from '../../load/engine/sockets.ts';
import { createMeasurement } from '../../load/measure/measurement.ts';
import { listRequest } from '../../load/schedule/load-request.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const request = listRequest('listModels', alice, 'org', 1, 2000);

/** A status, or why there is none. */
type Outcome = Arrived['outcome'];

async function bySuite(route: Route): Promise<Outcome> {
  const { deployment, close } = networkDeployment(route);
  onTestFinished(close);
  try {
    return (await deployment(request.request)).status;
  } catch (error) {
    if (error instanceof TransportError) return error.failure;
    throw error;
  }
}

async function byOpenLoad(route: Route): Promise<Outcome> {
  const sockets = openSockets(route, 1, 2000);
  const { promise, resolve } = Promise.withResolvers<Arrived>();
  const giveUp = sockets.send(request.request, () => {}, resolve);
  setTimeout(giveUp, 5000).unref();
  const { outcome } = await promise;
  sockets.close();
  return outcome;
}

async function byClosedLoad(route: Route): Promise<Outcome> {
  const over = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const run = runClosed({
    route,
    connections: 1,
    plan: () => ({ kind: 'request', request, done: () => {} }),
    measurement: createMeasurement(1000),
    warmUpMs: 0,
    durationMs: 5000,
    gate: () => 0,
    listener: (_request, { outcome }) => {
      resolve(outcome);
      over.abort();
    },
    signal: over.signal,
  });
  const outcome = await Promise.race([promise, run.then(() => 'timeout' as const)]);
  over.abort();
  await run;
  return outcome;
}

export const waysToSend = { suite: bySuite, 'open load': byOpenLoad, 'closed load': byClosedLoad } as const;
