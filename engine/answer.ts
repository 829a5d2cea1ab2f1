import { type Answer, type Exchange, isSuccess } from '../core/exchange.ts';
import { at, stringAt } from '../core/json.ts';
import { describe, shown } from '../core/text.ts';
import { Violation } from './verdict.ts';

/** A short description of an answer: its status and, for an error, the title, or what came that is no JSON. */
export function summary(answer: Answer): string {
  const title = stringAt(answer.json, 'error', 'title');
  if (title !== undefined) return `${answer.status} ${describe(title, 80)}`;
  const type = answer.headers['content-type'];
  return answer.json === undefined && type !== undefined
    ? `${answer.status} with ${shown(type, 60)}`
    : `${answer.status}`;
}

/** `actual` may be made when it is needed: most promises are kept, again and again. */
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
