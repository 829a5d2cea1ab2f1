import { describe } from '../../core/text.ts';
import { mustHaveErrorBody } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { at } from '../../core/json.ts';
import type { Watch } from '../../engine/session/session.ts';
import { Violation } from '../../engine/verdict.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { answerShapeWatches } from './answer-shapes.ts';
import { answeredChatWatch } from './answered-chat.ts';
import { internalsIn } from '../../promises/internals.ts';
import { contentTypeProblem } from '../../promises/json-content-type.ts';
import { isMistake } from './mistakes.ts';
import { rateBodyWatch } from '../rate-limit/rate-body.ts';
import { textsIn } from '../../promises/texts-in.ts';

/** What is wrong with an answer; undefined where nothing is. */
type Wrong = { readonly expected: string; readonly actual: string } | undefined;

/** The promises that every answer has to keep, whatever check asked for it. */
export const watches: readonly Watch[] = [
  watch('errors.body', isOwnError, (answer) => {
    try {
      mustHaveErrorBody(answer);
      return undefined;
    } catch (error) {
      if (error instanceof Violation) return error;
      throw error;
    }
  }),

  watch('errors.content-type', hasOwnBody, (answer) => {
    const problem = contentTypeProblem(answer.headers['content-type']);
    return problem === undefined
      ? undefined
      : { expected: `a JSON content type with ${answer.status}`, actual: problem };
  }),

  watch('errors.retry-only-when-limited', isOtherError, (answer) => {
    const retry = at(answer.json, 'error', 'retryAfterMs');
    if (retry === undefined) return undefined;
    return { expected: `no retryAfterMs with ${answer.status}`, actual: describe(retry) };
  }),

  watch('errors.title-means-limited', isOtherError, (answer) => {
    if (at(answer.json, 'error', 'title') !== 'RateLimitExceeded') return undefined;
    return { expected: 'the title RateLimitExceeded with 429 alone', actual: summary(answer) };
  }),

  watch('errors.no-internals', isError, (answer) => {
    const { path, body } = answer.exchange.request;
    const asked = `${path}\n${typeof body === 'string' ? body : ''}`;
    const inside = internalsIn(textsIn(answer), asked);
    if (inside === undefined) return undefined;
    return { expected: 'an error that shows nothing of the inside', actual: `${inside} with ${answer.status}` };
  }),

  // Errors end up in logs, tickets and screenshots, and what was refused may be a key with a slip of the keyboard.
  watch('auth.not-quoted', isOwnErrorWithKey, (answer) =>
    textsIn(answer).includes(keyOf(answer) ?? '')
      ? { expected: 'an error that says nothing of the key', actual: `the key of the request, with ${answer.status}` }
      : undefined,
  ),

  // An overload (503) is nobody's mistake, and what another error means depends on what was asked.
  watch('errors.no-5xx', isOutcomeOfMistake, (answer) =>
    answer.status < 500 ? undefined : { expected: "no 5xx for a client's mistake", actual: summary(answer) },
  ),

  watch('robustness.json', hasOwnBody, ({ problem }) =>
    problem === undefined ? undefined : { expected: 'a body of JSON in UTF-8', actual: problem },
  ),

  rateBodyWatch,
  answeredChatWatch,
  ...answerShapeWatches,

  {
    requirement: 'robustness.answered',
    judge: (exchange) => {
      const { outcome, request } = exchange;
      if (outcome.kind === 'answered') return 'kept';
      // No connection is no answer of this deployment, and a large answer may be a legal one.
      if (outcome.failure === 'refused' || outcome.failure === 'too-large') return undefined;
      const actual = `${outcome.failure}, ${request.method} ${exchange.operation}: ${outcome.message}`;
      return new Violation('one complete answer', actual.slice(0, 300), [exchange]);
    },
  },
];

/** A watch over the answers that say something about the promise. */
function watch(requirement: RequirementId, says: (answer: Answer) => boolean, wrong: (answer: Answer) => Wrong): Watch {
  return {
    requirement,
    judge: (exchange, answer) => {
      if (answer === undefined || !says(answer)) return undefined;
      const found = wrong(answer);
      return found === undefined ? 'kept' : new Violation(found.expected, found.actual, [exchange]);
    },
  };
}

function isError(answer: Answer): boolean {
  return !isSuccess(answer);
}

function isOtherError(answer: Answer): boolean {
  return isError(answer) && answer.status !== 429;
}

/** A gateway's page is none of the deployment's answers; what was to be answered is judged by those who asked. */
function isOwnError(answer: Answer): boolean {
  return isError(answer) && !isGateways(answer);
}

function isOwnErrorWithKey(answer: Answer): boolean {
  return isOwnError(answer) && keyOf(answer) !== undefined;
}

/** The key that was sent, good or not, where it can be mistaken for no other word (RFC 6750, 2.1). */
function keyOf({ exchange: { request } }: Answer): string | undefined {
  const key = /^Bearer +([\w.~+/=-]{8,})$/.exec(request.headers['authorization'] ?? '')?.[1];
  const isAsked = key !== undefined && `${request.path}\n${String(request.body ?? '')}`.includes(key);
  return isAsked ? undefined : key;
}

function hasOwnBody(answer: Answer): boolean {
  const { outcome } = answer.exchange;
  if (isGateways(answer)) return false;
  return outcome.kind === 'answered' && outcome.response.body.length > 0;
}

function isOutcomeOfMistake({ status, exchange }: Answer): boolean {
  if (exchange.passing === true) return false;
  if (status < 500) return status >= 400 && status !== 429;
  return status !== 503 && isMistake(exchange);
}
