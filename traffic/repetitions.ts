import { isSuccess } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { repeatedAfter, repeatedWhileGenerating } from '../promises/idempotency.ts';
import { messageIds } from '../promises/messages.ts';
import type { MessageFacts } from './message-facts.ts';
import { type Seen, seenAs } from './seen.ts';

/** How long keys must be valid, in milliseconds: the specification names no end, but a deployment may have one. */
const keptMs = 600_000;

/** Sections 4.2 and 8: requests with one key. Only with the name of the idempotency header. */
export function seenRepetitions(facts: readonly MessageFacts[]): readonly Seen[] {
  return repetitions(facts).flatMap(({ first, again }) => {
    const pair = { first: first.recorded.answer, again: again.recorded.answer };
    return [repeatedAfter, repeatedWhileGenerating].flatMap(({ requirement, judge }) =>
      seenAs(requirement, judge(pair), again.recorded.exchange),
    );
  });
}

type Pair = { readonly first: MessageFacts; readonly again: MessageFacts };

/** A request that was accepted, and the same one once more, sent when the first was answered, and accepted too. */
function repetitions(facts: readonly MessageFacts[]): readonly Pair[] {
  const groups = Map.groupBy(facts.filter(isComplete), ({ key, recorded: { route, sender } }) =>
    JSON.stringify([sender.name, route.ownerId, route.id, key]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...rest] = group.toSorted((one, other) => sentAt(one) - sentAt(other));
    if (first === undefined) return [];
    return rest.filter((again) => isRepeated(first, again)).map((again) => ({ first, again }));
  });
}

/** With a key, a caller that is surely one, a text, a time, and messages with IDs. */
function isComplete({ key, asked, recorded }: MessageFacts): boolean {
  const { sender, isWhole, isTimed, answer } = recorded;
  const hasIds = messageIds(answer).every((id) => id !== undefined);
  return (
    key !== undefined &&
    key !== '' &&
    sender.isKnown &&
    isTimed &&
    isWhole &&
    isSuccess(answer) &&
    hasIds &&
    typeof at(asked, 'message') === 'string'
  );
}

/** The specification does not cover the same key with another text. */
function isRepeated(first: MessageFacts, again: MessageFacts): boolean {
  const answeredAt = first.recorded.exchange.receivedAt;
  const isSame = at(first.asked, 'message') === at(again.asked, 'message');
  return isSame && sentAt(again) >= answeredAt && sentAt(again) <= answeredAt + keptMs;
}

function sentAt({ recorded: { exchange } }: MessageFacts): number {
  return exchange.sentAt;
}
