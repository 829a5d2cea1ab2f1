import { jsonIn } from '../../core/json.ts';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { causeOf } from '../../core/error-code.ts';
import { shown } from '../../core/text.ts';
import { GatherError } from './gather-error.ts';
import { refusalSchema, type Verb } from './protocol.ts';
import { spanText } from './skew-text.ts';

export type CoordinatorOptions = {
  /** The origin of the coordinator. */
  readonly url: string;
  readonly part: number;
  readonly token: string | undefined;
  readonly clock: Clock;
  /** What delays this part. */
  readonly onEvent: (text: string) => void;
  readonly patience?: Patience;
};

/** How long a part tries to reach its coordinator, in milliseconds. */
export type Patience = {
  /** Before its first answer: pods start in any order, and images take time. */
  readonly firstMs: number;
  /** After that. */
  readonly laterMs: number;
  readonly retryMs: number;
};

export type CoordinatorClient = {
  /**
   * Sends JSON until there is an answer. Rejects with GatherError if the coordinator refuses, cannot be reached for long, or
   * the signal comes first.
   */
  readonly ask: <Schema extends z.ZodType>(
    verb: Verb,
    json: string,
    schema: Schema,
    signal?: AbortSignal,
  ) => Promise<z.infer<Schema>>;
  /** Whether it is worth trying again. */
  readonly isGone: () => boolean;
  readonly isReached: () => boolean;
  readonly close: () => Promise<void>;
};

const usualPatience: Patience = { firstMs: 10 * 60_000, laterMs: 60_000, retryMs: 500 };

/** A coordinator holds a request for ten seconds; the record of a part takes longer to send and to judge. */
const answerTimeoutMs = 60_000;
const mostAnswerBytes = 64 * 1024;

type Attempt =
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly reason: string; readonly exitCode: 2 | 6 }
  | { readonly kind: 'unanswered'; readonly why: string };

/** The way of one process to its coordinator. */
export function createCoordinatorClient(options: CoordinatorOptions): CoordinatorClient {
  const { url, part, token, clock, onEvent, patience = usualPatience } = options;
  const address = `${url}/parts/${part}/${randomUUID()}`;
  const agent = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxResponseSize: mostAnswerBytes,
  });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  let isReached = false;
  let isGone = false;

  async function attempt(verb: Verb, json: string, signal: AbortSignal | undefined): Promise<Attempt> {
    try {
      const sent = { method: 'POST', dispatcher: agent, headers, body: json, ...(signal && { signal }) } as const;
      const { statusCode, body } = await request(`${address}/${verb}`, sent);
      return attemptOf(statusCode, await body.text());
    } catch (error) {
      return { kind: 'unanswered', why: causeOf(error) };
    }
  }

  return {
    async ask(verb, json, schema, signal) {
      const since = clock.now();
      for (let isFirst = true; ; isFirst = false) {
        const answer = await attempt(verb, json, signal);
        if (signal?.aborted === true) throw new GatherError('interrupted.', 130);
        if (answer.kind === 'refused')
          throw new GatherError(`the coordinator refuses part ${part}: ${answer.reason}.`, answer.exitCode);
        if (answer.kind === 'answered') {
          isReached = true;
          return parsed(schema, answer.body);
        }
        const spanMs = clock.now() - since;
        const why = `the coordinator at ${url} cannot be reached (${shown(answer.why)})`;
        if (spanMs > (isReached ? patience.laterMs : patience.firstMs)) {
          isGone = true;
          throw new GatherError(`${why} for ${spanText(spanMs)}.`, 6);
        }
        if (isFirst) onEvent(`${why}; this part tries again`);
        await clock.sleep(patience.retryMs);
      }
    },
    isGone: () => isGone,
    isReached: () => isReached,
    close: () => agent.destroy(),
  };
}

function attemptOf(status: number, text: string): Attempt {
  if (status >= 500) return { kind: 'unanswered', why: `status ${status}` };
  const body = jsonIn(text);
  if (status === 200) return { kind: 'answered', body };
  const { data } = refusalSchema.safeParse(body);
  return {
    kind: 'refused',
    reason: shown(data?.reason ?? `its answer has status ${status}`, 500),
    exitCode: status === 409 ? 6 : 2,
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new GatherError('the address of --gather is not that of a coordinator of this version.', 2);
}
