import { type Answer, type Exchange, isSuccess, summary } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { describe } from '../core/text.ts';
import { Violation } from './verdict.ts';

/** `actual` may be a function, because it is rarely needed. */
export function must(
  holds: boolean,
  expected: string,
  actual: string | (() => string),
  ...evidence: readonly Answer[]
): asserts holds {
  if (holds) return;
  throw new Violation(expected, typeof actual === 'string' ? actual : actual(), exchangesOf(evidence));
}

export function mustEqual(actual: unknown, expected: unknown, what: string, ...evidence: readonly Answer[]): void {
  if (Object.is(actual, expected)) return;
  must(false, `${what} ${describe(expected)}`, describe(actual), ...evidence);
}

export function mustStatus(answer: Answer, status: number, when: string): void {
  must(answer.status === status, `${status} ${when}`, () => summary(answer), answer);
}

export function mustSucceed(answer: Answer, when: string): void {
  must(isSuccess(answer), `2xx ${when}`, () => summary(answer), answer);
}

export function mustNotSucceed(answer: Answer, when: string): void {
  must(!isSuccess(answer), `no 2xx ${when}`, () => summary(answer), answer);
}

export function mustNotBe5xx(answer: Answer, when: string): void {
  must(answer.status < 500, `no 5xx ${when}`, () => summary(answer), answer);
}

/** Section 2.7: `{ error: { title, detail } }`, both strings. */
export function mustHaveErrorBody(answer: Answer): void {
  must(answer.problem === undefined, 'an error body in JSON', answer.problem ?? '', answer);
  for (const field of ['title', 'detail']) {
    const value = at(answer.json, 'error', field);
    must(typeof value === 'string', `error.${field}, a string, with ${answer.status}`, () => describe(value), answer);
  }
}

function exchangesOf(answers: readonly Answer[]): readonly Exchange[] {
  return answers.map((answer) => answer.exchange);
}
