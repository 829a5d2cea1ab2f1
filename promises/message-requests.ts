import type { Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { askedBody, askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { hasMoreCharacters } from '../schemas/characters.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type AnswerPromise, keptIf, promised, refusal } from './judgement.ts';

/** How much earlier than asked for a held answer may come where only the exchange is known, in milliseconds. */
export const heldToleranceMs = 1000;

/** A request with `wait` and its answer, and how much sooner than asked it may come at most, in milliseconds. */
export type Held = { readonly answer: Answer; readonly toleranceMs: number };

/** It may come sooner by this share of the wait at most: networks and busy machines make answers later, and never sooner. */
const soonerShare = 0.2;

/**
 * A 202 before the seconds are over is too early: it says that the assistant has not finished. A request that is sent again, because
 * its first answer was lost, gets the original result, and that may come at once.
 */
export const waitHolds = promised('wait.holds', ({ answer, toleranceMs }: Held) => {
  const seconds = waitOf(answer);
  const { operation, repeats } = answer.exchange;
  if (typeof seconds !== 'number' || operation !== 'sendMessage' || answer.status !== 202) return undefined;
  const leastMs = seconds * 1000 - Math.min(toleranceMs, soonerShare * seconds * 1000);
  if (repeats === true && answer.elapsedMs < leastMs) return undefined;
  const expected = `with wait=${seconds} no 202 before ${Math.round(leastMs)} ms`;
  return keptIf(answer.elapsedMs >= leastMs, expected, `202 after ${Math.round(answer.elapsedMs)} ms`);
});

export const waitRefused = ofRefusal('wait.refused', (answer) =>
  waitOf(answer) === 'wrong' ? `wait=${describe(askedOf(answer.exchange)?.query.get('wait')?.[0], 60)}` : undefined,
);

export const emptyMessage = ofRefusal('message.empty', ({ exchange }) =>
  at(askedBody(exchange), 'message') === '' ? 'an empty message' : undefined,
);

export const tooLongMessage = ofRefusal('message.too-long', ({ exchange }) => {
  const message = at(askedBody(exchange), 'message');
  return typeof message === 'string' && hasMoreCharacters(message, 10_000) ? 'more than 10000 characters' : undefined;
});

export const missingMessage = ofRefusal('message.missing', ({ exchange }) => {
  const asked = askedBody(exchange);
  if (exchange.request.body === '') return 'an empty body';
  return asked !== undefined && at(asked, 'message') === undefined ? `the body ${describe(asked, 60)}` : undefined;
});

export const messageNotString = ofRefusal('message.not-a-string', ({ exchange }) => {
  const message = at(askedBody(exchange), 'message');
  return message === undefined || typeof message === 'string' ? undefined : `the message ${describe(message, 60)}`;
});

/** A message request, and its idempotency key. */
export type Keyed = { readonly answer: Answer; readonly key: string };

/** No earlier request with such a key can have been accepted. */
export const keyTooLong = promised('idempotency.key-too-long', ({ answer, key }: Keyed) =>
  key.length > 255 ? refusal(answer, `a key of ${key.length} characters`) : undefined,
);

/** Sections 4.2 and 8: what follows from the `wait` and the text of a message request, as far as one answer shows it. */
export const messageRequestPromises: readonly AnswerPromise[] = [
  waitRefused,
  emptyMessage,
  tooLongMessage,
  missingMessage,
  messageNotString,
];

/** A message that has to be refused; `why` says for what, and is undefined for every other. */
function ofRefusal(requirement: RequirementId, why: (answer: Answer) => string | undefined): AnswerPromise {
  return promised(requirement, (answer) => {
    const reason = answer.exchange.operation === 'sendMessage' ? why(answer) : undefined;
    return reason === undefined ? undefined : refusal(answer, reason);
  });
}

/** The seconds of a wait; undefined where there is none, or where it may be read in several ways. */
function waitOf({ exchange }: Answer): number | 'wrong' | undefined {
  const [value, ...more] = askedOf(exchange)?.query.get('wait') ?? [];
  if (value === undefined || value === '' || more.length > 0) return undefined;
  const seconds = Number(value);
  if (/^[1-9]\d{0,2}$/.test(value) && seconds <= 300) return seconds;
  return /^0*[1-9]\d{0,2}$/.test(value.trim()) && seconds <= 300 ? undefined : 'wrong';
}
