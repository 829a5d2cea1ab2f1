import type { Answer } from '../core/exchange.ts';
import { stringAt } from '../core/json.ts';
import type { Recorded } from './recorded.ts';

/** A recorded message request, with what the recording knows of its idempotency key. */
export type MessageFacts = {
  readonly recorded: Recorded;
  /** The parsed body of the request; undefined where it was not kept or is no JSON. */
  readonly asked: unknown;
  readonly key: string | undefined;
  /** Whether it surely was no repetition: what a repeated key gives, with a wrong or another message too, may be an earlier one. */
  readonly isNew: boolean;
};

/**
 * What is known of every message request, oldest first. One is new only where it has no key although the recording keeps
 * keys: the first use of a key may be missing from it, and without its name any header may be the key.
 */
export function messageFacts(traffic: readonly Recorded[], keyHeader: string | undefined): readonly MessageFacts[] {
  const requests = traffic.filter(({ route }) => route.operation === 'sendMessage');
  const headersOf = ({ exchange }: Recorded) => exchange.request.headers;
  const isKept = keyHeader !== undefined && requests.some((recorded) => headersOf(recorded)[keyHeader] !== undefined);
  return requests.map((recorded) => {
    const headers = headersOf(recorded);
    const key = keyHeader === undefined ? undefined : headers[keyHeader];
    const isNew = isKept && key === undefined && headers['content-type'] !== undefined;
    return { recorded, asked: askedJson(recorded), key, isNew };
  });
}

/** The parsed body of a request; undefined where it was not kept or is no JSON. */
export function askedJson({ exchange, isAskedWhole }: Recorded): unknown {
  const { body } = exchange.request;
  if (!isAskedWhole || typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The IDs of the user message and the assistant message. */
export function messageIds({ json }: Answer): readonly [string | undefined, string | undefined] {
  return [stringAt(json, 'data', 'userMessage', 'id'), stringAt(json, 'data', 'assistantMessage', 'id')];
}
