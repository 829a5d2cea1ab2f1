import { isSuccess } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { Violation } from '../../engine/verdict.ts';
import { type MessageFacts, messageFacts, messageIds } from '../message-facts.ts';
import type { Rule, Seen } from '../rule.ts';

/** For how long a key is held to: the specification names no end, and a deployment may have one, in milliseconds. */
const keptMs = 600_000;

/** Sections 4.2 and 8: requests with one key. Only with the name of the idempotency header. */
export function repetitionRules(keyHeader: string | undefined): readonly Rule[] {
  return [
    {
      requirement: 'idempotency.after',
      needsKeyHeader: true,
      over: (traffic) => repetitions(messageFacts(traffic, keyHeader)).filter(isFinished).map(seenOf),
    },
    {
      requirement: 'idempotency.while-generating',
      needsKeyHeader: true,
      over: (traffic) =>
        repetitions(messageFacts(traffic, keyHeader))
          .filter((pair) => !isFinished(pair))
          .map(seenOf),
    },
  ];
}

type Pair = { readonly first: MessageFacts; readonly again: MessageFacts };

/** A request that was accepted, and the same one once more, sent when the first was answered, and accepted too. */
function repetitions(facts: readonly MessageFacts[]): readonly Pair[] {
  const groups = Map.groupBy(facts.filter(isTold), ({ key, recorded: { route, sender } }) =>
    JSON.stringify([sender.name, route.ownerId, route.id, key]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...rest] = group.toSorted((one, other) => sentAt(one) - sentAt(other));
    if (first === undefined) return [];
    return rest.filter((again) => isRepeated(first, again)).map((again) => ({ first, again }));
  });
}

/** With a key, a caller that is surely one, a text, a time, and messages with IDs. */
function isTold({ key, asked, recorded }: MessageFacts): boolean {
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

/** What the same key gives with another text is open. */
function isRepeated(first: MessageFacts, again: MessageFacts): boolean {
  const answeredAt = first.recorded.exchange.receivedAt;
  const isSame = at(first.asked, 'message') === at(again.asked, 'message');
  return isSame && sentAt(again) >= answeredAt && sentAt(again) <= answeredAt + keptMs;
}

function isFinished({ first, again }: Pair): boolean {
  return first.recorded.answer.status === 200 || again.recorded.answer.status === 200;
}

function seenOf({ first, again }: Pair): Seen {
  const { exchange } = again.recorded;
  const [wanted, got] = [messageIds(first.recorded.answer), messageIds(again.recorded.answer)];
  if (wanted.every((id, index) => id === got[index])) return { exchange, violation: undefined };
  const expected = `for the same key the messages ${describe(wanted)}`;
  return { exchange, violation: new Violation(expected, describe(got), [first.recorded.exchange, exchange]) };
}

function sentAt({ recorded: { exchange } }: MessageFacts): number {
  return exchange.sentAt;
}
