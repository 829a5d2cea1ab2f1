import { virtualClock } from '../core/clock.ts';
import type { Deployment, HttpRequest, HttpResponse } from '../core/http.ts';
import type { Target } from '../core/target.ts';
import { Api } from '../engine/api.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { invariants } from '../suites/errors/invariants.ts';
import { givenWorld } from '../suites/sequence/sequence-world.ts';

/** How a request is answered instead. */
export type Altered = (request: HttpRequest, behind: Deployment) => Promise<HttpResponse>;

export const unaltered: Altered = (request, behind) => behind(request);

/** For tests: the world of a sequence on the reference. From `alter` on, answers are altered. */
export async function openWorld(
  altered: Altered = unaltered,
  part: (target: Target) => Target = (target) => target,
  choices: Readonly<Record<string, string>> = {},
) {
  const clock = virtualClock();
  const { deployment, target: whole } = createReference({ clock, seed: 1, choices });
  const target = part(whole);
  let answer: Altered = altered;
  const through: Deployment = (request) => answer(request, deployment);
  const session = createSession({ deployment: through, target, clock, seed: 1, invariants });
  const world = await givenWorld(new Api(session, 'sequence'));
  const alter = (other: Altered): void => {
    answer = other;
  };
  return { world, target, alter };
}

type Body = { readonly data?: unknown; readonly [name: string]: unknown };

/** Answers with another body. */
export const withBody =
  (made: (body: Body, request: HttpRequest) => unknown): Altered =>
  async (request, behind) => {
    const answer = await behind(request);
    return {
      ...answer,
      body: Buffer.from(JSON.stringify(made(JSON.parse(Buffer.from(answer.body).toString()), request))),
    };
  };

/** Pages with other records. */
export const withRecords = (
  made: (records: readonly Readonly<Record<string, unknown>>[], request: HttpRequest) => readonly unknown[],
): Altered =>
  withBody((body, request) => (Array.isArray(body.data) ? { ...body, data: made(body.data, request) } : body));

/** The first requests for which this holds are altered in one way, those after them in another one. */
export function inTurn(
  holds: (request: HttpRequest) => boolean,
  first: readonly Altered[],
  afterwards: Altered = unaltered,
): Altered {
  const left = [...first];
  return (request, behind) => (holds(request) ? (left.shift() ?? afterwards) : unaltered)(request, behind);
}
