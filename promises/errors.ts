import { type Answer, bodyOf, type Exchange, isSuccess, summary } from '../core/exchange.ts';
import { isGateways } from '../core/gateway-answer.ts';
import { at, duplicateName } from '../core/json.ts';
import { waitIn } from '../core/paths.ts';
import { describe, shown } from '../core/text.ts';
import { internalsIn } from './leaks/internals.ts';
import { contentTypeProblem } from './json-content-type.ts';
import { type AnswerPromise, type Broken, keptIf, promised } from './judgement.ts';
import { isMistake } from './mistakes.ts';
import { textsIn } from './leaks/texts-in.ts';

/** The largest body whose names are compared, in bytes: comparing is expensive. */
const maxComparedBytes = 256 * 1024;

const body = promised('errors.body', (answer: Answer) =>
  isOwnError(answer) ? (errorBodyProblem(answer) ?? 'kept') : undefined,
);

const contentType = promised('errors.content-type', (answer: Answer) => {
  if (!hasOwnBody(answer)) return undefined;
  const problem = contentTypeProblem(answer.headers['content-type']);
  return keptIf(problem === undefined, `a JSON content type with ${answer.status}`, problem ?? '');
});

const json = promised('robustness.json', (answer: Answer) =>
  hasOwnBody(answer)
    ? keptIf(answer.problem === undefined, 'a body of JSON in UTF-8', answer.problem ?? '')
    : undefined,
);

const retryOnlyWhenLimited = promised('errors.retry-only-when-limited', (answer: Answer) => {
  if (isSuccess(answer) || answer.status === 429) return undefined;
  const retry = at(answer.json, 'error', 'retryAfterMs');
  return keptIf(retry === undefined, `no retryAfterMs with ${answer.status}`, () => describe(retry));
});

const titleMeansLimited = promised('errors.title-means-limited', (answer: Answer) => {
  if (isSuccess(answer) || answer.status === 429) return undefined;
  const isLimited = at(answer.json, 'error', 'title') === 'RateLimitExceeded';
  return keptIf(!isLimited, 'the title RateLimitExceeded with 429 alone', () => summary(answer));
});

const noInternals = promised('errors.no-internals', (answer: Answer) => {
  if (isSuccess(answer)) return undefined;
  const { path, body: sent } = answer.exchange.request;
  const inside = internalsIn(textsIn(answer), `${path}\n${typeof sent === 'string' ? sent : ''}`);
  return keptIf(
    inside === undefined,
    'an error that shows nothing of the inside',
    () => `${inside} with ${answer.status}`,
  );
});

/** Errors end up in logs, tickets and screenshots, and the refused key may be a good one with a typing error. */
const keyNotQuoted = promised('auth.not-quoted', (answer: Answer) => {
  const key = isOwnError(answer) ? keyOf(answer.exchange) : undefined;
  if (key === undefined) return undefined;
  const actual = `the key of the request, with ${answer.status}`;
  const isQuoted = [textsIn(answer), ...Object.values(answer.headers)].some((text) => text.includes(key));
  return keptIf(!isQuoted, 'an error that says nothing of the key', actual);
});

/** An overload (503) is no mistake of the client, and what another error means depends on what was asked. */
const no5xx = promised('errors.no-5xx', (answer: Answer) => {
  const { status, exchange } = answer;
  if (exchange.passing === true || isSuccess(answer) || status === 429 || status === 503) return undefined;
  if (status < 400 || (status >= 500 && !isMistake(exchange))) return undefined;
  return keptIf(status < 500, "no 5xx for a client's mistake", () => summary(answer));
});

/** Section 1: which of two values a reader takes is not defined. */
export const uniqueNames = promised('robustness.unique-names', (answer: Answer) => {
  const sent = bodyOf(answer.exchange);
  if (answer.json === undefined || sent.length > maxComparedBytes) return undefined;
  const name = duplicateName(new TextDecoder().decode(sent));
  return keptIf(name === undefined, 'each name once in an object', () => `${shown(name ?? '', 100)} twice`);
});

/** Sections 1, 2.7 and 7: what each answer promises, whatever was asked. */
export const errorPromises = [
  body,
  contentType,
  retryOnlyWhenLimited,
  titleMeansLimited,
  noInternals,
  keyNotQuoted,
  no5xx,
  json,
] as const satisfies readonly AnswerPromise[];

/** Section 1: each request is answered. */
export const answered = promised('robustness.answered', ({ outcome, request, operation }: Exchange) => {
  if (outcome.kind === 'answered') return 'kept';
  // No connection is no answer of this deployment, and a large answer may be a legal one.
  if (outcome.failure === 'refused' || outcome.failure === 'too-large') return undefined;
  if (outcome.failure === 'timeout' && isLeftEarly(request)) return undefined;
  const actual = `${outcome.failure}, ${request.method} ${operation}: ${outcome.message}`;
  return { expected: 'one complete answer', actual: actual.slice(0, 300) };
});

/** Section 8 lets a deployment hold a message for its whole `wait`, of 300 s at most. */
function isLeftEarly({ path, timeoutMs }: Exchange['request']): boolean {
  const seconds = Number(waitIn(path) ?? 0);
  return seconds <= 300 && timeoutMs < 1000 * seconds;
}

/** Section 2.7: how a body is not `{ error: { title, detail } }` with two strings; undefined where it is. */
export function errorBodyProblem({ problem, json: value, status }: Answer): Broken | undefined {
  if (problem !== undefined) return { expected: 'an error body in JSON', actual: problem };
  const field = ['title', 'detail'].find((name) => typeof at(value, 'error', name) !== 'string');
  if (field === undefined) return undefined;
  return { expected: `error.${field}, a string, with ${status}`, actual: describe(at(value, 'error', field)) };
}

/** A gateway's page is no answer of the deployment; the check that asked judges what was missing. */
function isOwnError(answer: Answer): boolean {
  return !isSuccess(answer) && !isGateways(answer);
}

/** The key that was sent, good or not, where it can be mistaken for no other word, such as `undefined` (RFC 6750, 2.1). */
function keyOf({ request }: Exchange): string | undefined {
  const key = /^Bearer +(?![A-Za-z]*$)([\w.~+/=-]{8,})$/.exec(request.headers['authorization'] ?? '')?.[1];
  const isAsked = key !== undefined && `${request.path}\n${String(request.body ?? '')}`.includes(key);
  return isAsked ? undefined : key;
}

function hasOwnBody(answer: Answer): boolean {
  return !isGateways(answer) && bodyOf(answer.exchange).length > 0;
}
