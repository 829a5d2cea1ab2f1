import { must } from '../../engine/answer.ts';
import { type Api, type Options } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { Violation } from '../../engine/verdict.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { sameJson } from '../../core/same-json.ts';
import { readOperations } from '../access/access-matrix.ts';
import { keyholder, readablePlace, unknownPlace } from '../shared/place.ts';
import { browserRead, readAt } from './browser-reads.ts';
import { someOf } from '../shared/some-of.ts';

/** The codings that clients usually accept. */
const codings = ['gzip', 'br'] as const;

type Ask = (options?: Options) => Promise<Answer>;

/** Section 1: a body is JSON whether it is compressed or not. A deployment is free to compress nothing. */
export const compression: Check = check(
  'robustness.answered',
  { phase: 'last', variant: 'compressed' },
  async (api) => {
    const place = readablePlace(api, keyholder(api));
    for (const operation of readOperations) {
      const plain = [await browserRead(api, operation)].filter(isSuccess);
      // Servers often compress nothing that is short.
      const ask: Ask = (options) => readAt(api, operation, place, options);
      for (const coding of someOf(operation, codings, 1)) await mustDecodeAlike(api, coding, ask, plain);
    }
    // Errors usually share the code that writes them.
    await mustDecode(api, codings[0], (options) => readAt(api, 'listModels', unknownPlace(api), options));
  },
);

/** The reads without compression after each compressed one: of any number of servers that take turns, one then gets both kinds. */
const plainReads = [2, 1, 3, 2] as const;

/**
 * The data may change at any time, so a difference counts only between reads that agree with each other. `plain` holds the answers
 * without compression so far, oldest first.
 */
async function mustDecodeAlike(api: Api, coding: string, ask: Ask, plain: Answer[]): Promise<void> {
  const packed: Answer[] = [];
  for (const reads of plainReads) {
    const compressed = await mustDecode(api, coding, ask);
    if (!isSuccess(compressed)) return;
    const before = plain.at(-1) ?? (await ask());
    if (plain.length === 0) plain.push(before);
    if (!differ(before, compressed)) return;
    packed.push(compressed);
    for (let read = 0; read < reads; read += 1) {
      const after = await ask();
      plain.push(after);
      if (differ(before, after)) return;
    }
  }
  const evidence = [...plain.slice(-1), ...packed.slice(0, 1)];
  const actual = packed.slice(0, 1).map(summary).join('');
  must(false, `with ${coding}, the same data as without compression`, actual, ...evidence);
}

function differ(one: Answer, other: Answer): boolean {
  return isSuccess(one) && isSuccess(other) && !sameJson(one.json, other.json);
}

/** A broken answer counts if it comes twice, while the same request without compression is answered. */
async function mustDecode(api: Api, coding: string, ask: Ask): Promise<Answer> {
  const options = { headers: { 'accept-encoding': coding }, judged: false };
  try {
    return await ask(options);
  } catch (error) {
    if (!isBroken(error)) throw error;
  }
  await ask();
  try {
    return await ask(options);
  } catch (error) {
    if (!isBroken(error)) throw error;
    throw new Violation(
      `an answer that can be decoded, with ${coding} accepted`,
      error.message,
      api.exchanges.slice(-1),
    );
  }
}

function isBroken(error: unknown): error is TransportError {
  return error instanceof TransportError && (error.failure === 'truncated' || error.failure === 'malformed');
}
