import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpRequest } from '../core/http.ts';
import { routeOf } from '../core/route.ts';
import type { Target } from '../core/target.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { invariants } from '../suites/errors/invariants.ts';
import { suites } from '../suites/index.ts';
import { inOrder } from '../suites/run/in-turn.ts';
import { judge } from '../suites/run/judge.ts';

/** What a run of the suite does on the reference, one check at a time in the order of their phases. */
export type Observed = {
  /** What it records of the reference's choices, where the specification leaves them open: a line each. */
  readonly points: string;
  /** The verdict of each check, and how many requests it sends to which operation, as whom, with which answer: a line each. */
  readonly requests: string;
};

/** Requests that were not counted yet, by what they ask for. */
type Counts = Map<string, number>;

export async function observedOnReference(): Promise<Observed> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const counts: Counts = new Map();
  const counting: Deployment = async (request) => {
    const answer = await deployment(request);
    const name = `${operationOf(request)} ${callerOf(target, request)} ${answer.status}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return answer;
  };
  const session = createSession({ deployment: counting, target, clock, seed: 1, invariants });
  const lines: string[] = [];
  for (const check of inOrder(suites)) {
    const { kind } = await judge(check, session);
    const sent = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    lines.push(`${[`${check.id}  ${kind}`, ...sent.map(([name, count]) => `${name} ×${count}`)].join(', ')}\n`);
    counts.clear();
  }
  const points = session.observations().map(({ point, value }) => `${point}  ${value}\n`);
  return { points: points.join(''), requests: lines.join('') };
}

function operationOf({ method, path }: HttpRequest): string {
  return routeOf(method, path)?.operation ?? method;
}

function callerOf({ principals }: Target, { headers }: HttpRequest): string {
  return principals.find(({ key }) => headers['authorization'] === `Bearer ${key}`)?.name ?? 'nobody';
}
