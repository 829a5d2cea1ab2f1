import type { Clock } from '../core/clock.ts';
import { answerOf, type Exchange } from '../core/exchange.ts';
import type { Deployment, HttpRequest, HttpResponse } from '../core/http.ts';
import { routeOf } from '../core/route.ts';
import type { Target } from '../core/target.ts';
import { suites } from '../suites/index.ts';
import { judgeTraffic } from '../traffic/judge-traffic.ts';
import { createKeyring } from '../traffic/keyring.ts';
import type { Recorded } from '../traffic/recorded.ts';
import { isRefusedOnTheWay } from '../traffic/refused-on-the-way.ts';
import { shownOnce } from './known-answers.ts';
import type { Finding } from './trial.ts';

/** How much of a run is kept: the first answers of each operation and status, apart for later pages and filtered ones. */
export type RecordingBounds = {
  readonly answersOfKind: number;
  /** Of all answers of a kind, in bytes. */
  readonly bytesOfKind: number;
};

export type Recording = {
  /** The deployment, with a recorder in front of it. */
  readonly through: (deployment: Deployment, clock: Clock, target: Target) => Deployment;
  /** What the recorded traffic is accused of. */
  readonly findings: () => readonly Finding[];
};

/** Records the requests and answers of a run. Tests of `traffic/` hold how a recording is read from a file. */
export function createRecording({ answersOfKind, bytesOfKind }: RecordingBounds): Recording {
  const keyring = createKeyring();
  const recorded: Recorded[] = [];
  /** A run asks for the same few things again and again. */
  const routes = new Map<string, Recorded['route']>();
  let keyHeader: string | undefined;
  const kinds = new Map<string, { answers: number; bytes: number }>();

  function keep(request: HttpRequest, response: HttpResponse, sentAt: number, receivedAt: number): void {
    const place = `${request.method} ${request.path}`;
    const route = routes.get(place) ?? routeOf(request.method, request.path);
    if (route === undefined) return;
    routes.set(place, route);
    if (route.hasOthers) return;
    const { operation } = route;
    const parts = ['cursor', 'databaseConnectionId'].filter((name) => route.query.has(name));
    const name = [operation, response.status, ...parts].join(' ');
    const kind = kinds.get(name) ?? { answers: 0, bytes: 0 };
    kinds.set(name, kind);
    if (kind.answers >= answersOfKind || kind.bytes >= bytesOfKind) return;
    kind.answers += 1;
    kind.bytes += response.body.length;
    const sender = keyring.senderOf(request.headers['authorization']);
    const outcome = { kind: 'answered', response } as const;
    const exchange: Exchange = { operation, caller: sender.name, request, sentAt, receivedAt, outcome };
    const answer = answerOf(exchange);
    if (answer === undefined || isRefusedOnTheWay(route, answer)) return;
    const isAskedWhole = request.method !== 'POST' || typeof request.body === 'string';
    recorded.push({
      route,
      sender,
      exchange,
      answer,
      isWhole: response.body.length > 0,
      isAskedWhole,
      isTimed: true,
    });
  }

  function through(deployment: Deployment, clock: Clock, target: Target): Deployment {
    keyHeader = target.idempotencyHeader;
    return async (request) => {
      const sentAt = clock.now();
      const response = await deployment(request);
      keep(request, response, sentAt, clock.now());
      return response;
    };
  }

  function findings(): readonly Finding[] {
    const inOrder = recorded.toSorted((one, other) => one.exchange.sentAt - other.exchange.sentAt);
    const verdicts = judgeTraffic(suites, inOrder, keyHeader, shownOnce);
    return suites.flatMap((check) => {
      const verdict = verdicts.get(check.id);
      if (verdict?.kind !== 'violated') return [];
      const { id, requirement, level } = check;
      const text = `expected ${verdict.expected}; got ${verdict.actual}`;
      return [{ check: id, requirement, kind: level === 'must' ? 'failed' : 'warned', text }];
    });
  }

  return { through, findings };
}
