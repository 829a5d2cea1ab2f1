import { type Answer, isSuccess } from '../harness/exchange.ts';
import { instantOf } from '../harness/instant.ts';
import { at, stringAt } from '../harness/json.ts';
import type { Recorded } from './recorded.ts';

/** A recorded message request, with what the recording knows of its idempotency key. */
export type MessageFacts = {
  readonly recorded: Recorded;
  /** The parsed body of the request; undefined where it was not kept or is no JSON. */
  readonly asked: unknown;
  readonly key: string | undefined;
  /** Whether it surely made a message of its own if it was accepted: a repeated key may legally show an earlier one. */
  readonly isNew: boolean;
};

/**
 * What is known of every message request, oldest first. Without the name of the idempotency header nothing is new for sure,
 * because any header may be it.
 */
export function messageFacts(traffic: readonly Recorded[], keyHeader: string | undefined): readonly MessageFacts[] {
  const requests = traffic.filter(({ route }) => route.operation === 'sendMessage');
  const begunAt = Math.min(...traffic.filter(({ isTimed }) => isTimed).map(({ exchange }) => exchange.sentAt));
  const keyOf = ({ exchange }: Recorded) => (keyHeader === undefined ? undefined : exchange.request.headers[keyHeader]);
  const uses = Map.groupBy(requests, (recorded) => keyOf(recorded) ?? '');
  return requests.map((recorded) => {
    const key = keyOf(recorded);
    const isAlone = key === undefined || uses.get(key)?.length === 1;
    // Its first use may be older than the recording.
    const isSince = key === undefined || isMadeSince(begunAt, recorded);
    const isNew = keyHeader !== undefined && isAlone && isSince;
    return { recorded, asked: askedJson(recorded), key, isNew };
  });
}

function isMadeSince(begunAt: number, { answer, isWhole }: Recorded): boolean {
  if (!isSuccess(answer)) return true;
  const createdAt = instantOf(at(answer.json, 'data', 'userMessage', 'createdAt'));
  return isWhole && createdAt !== undefined && createdAt >= begunAt;
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
