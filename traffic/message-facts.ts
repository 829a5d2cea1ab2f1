import { askedBody } from '../core/route.ts';
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
    return { recorded, asked: askedBody(recorded.exchange), key, isNew };
  });
}
