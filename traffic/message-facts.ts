import { askedBody } from '../core/route.ts';
import type { Recorded } from './recorded.ts';

/** A recorded message request, with what the recording shows of its idempotency key. */
export type MessageFacts = {
  readonly recorded: Recorded;
  /** The parsed body of the request; undefined if it was not kept or is not JSON. */
  readonly asked: unknown;
  readonly key: string | undefined;
  /** Whether it surely was not a repetition. A repeated key, even with a wrong or another message, may return an earlier one. */
  readonly isNew: boolean;
};

/**
 * The facts of every message request, oldest first. A request is surely new only if it has no key although the recording keeps
 * keys: the first use of a key may be missing, and if the name of the header is unknown, any header may be the key.
 */
export function messageFacts(traffic: readonly Recorded[], keyHeader: string | undefined): readonly MessageFacts[] {
  const requests = traffic.filter(({ route }) => route.operation === 'sendMessage');
  const headersOf = ({ exchange }: Recorded) => exchange.request.headers;
  const isKept = keyHeader !== undefined && requests.some((recorded) => headersOf(recorded)[keyHeader] !== undefined);
  return requests.map((recorded) => {
    const headers = headersOf(recorded);
    const key = keyHeader === undefined ? undefined : headers[keyHeader];
    const isNew = isKept && key === undefined && headers['content-type'] !== undefined;
    return { recorded, asked: askedBody(recorded.exchange), key, isNew };
  });
}
