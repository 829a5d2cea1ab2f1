import { isSuccess } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import {
  differentKeys,
  judgeRepetition,
  type Repetition,
  repeatedAfter,
  repeatedWhileGenerating,
} from '../../promises/idempotency.ts';
import { distinctIds, messageIds } from '../../promises/messages.ts';
import { isReplaced } from '../keyring.ts';
import type { MessageFacts } from '../message-facts.ts';
import { type Found, type Recording, rule } from '../seen.ts';

/** How long keys must be valid, in milliseconds: the specification names no end, but a deployment may have one. */
const keptMs = 600_000;

/** Sections 4.2 and 8: requests with one key and with different keys. Only with the name of the idempotency header. */
export const repetitionRules = [
  rule(repeatedAfter, repeated),
  rule(repeatedWhileGenerating, repeated),
  // If the whole message is the earlier one, the keys were taken for one. Otherwise an ID was given to two messages.
  rule(differentKeys, (recording) => sharing(recording).filter(isEarlier)),
  rule(distinctIds, (recording) =>
    sharing(recording)
      .filter((found) => !isEarlier(found))
      .map(({ subject: { first, again }, exchange }) => ({ subject: [first, again], exchange })),
  ),
];

type Pair = { readonly first: MessageFacts; readonly again: MessageFacts };

function repeated({ messages }: Recording): readonly Found<Repetition>[] {
  return repetitions(messages.filter(isComplete)).map(found);
}

function sharing({ messages }: Recording): readonly Found<Repetition>[] {
  return sharingMessages(messages.filter(isComplete)).map(found);
}

function found({ first, again }: Pair): Found<Repetition> {
  const subject = { first: first.recorded.answer, again: again.recorded.answer };
  return { subject, exchange: again.recorded.exchange };
}

function isEarlier({ subject }: Found<Repetition>): boolean {
  return judgeRepetition(subject) === 'kept';
}

/** A request that was accepted, and the same one once more, sent when the first was answered, and accepted too. */
function repetitions(facts: readonly MessageFacts[]): readonly Pair[] {
  const groups = Map.groupBy(facts, ({ key, recorded: { route, sender } }) =>
    JSON.stringify([sender.name, route.ownerId, route.id, key]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...rest] = group.toSorted((one, other) => sentAt(one) - sentAt(other));
    if (first === undefined) return [];
    return rest.filter((again) => isRepeated(first, again)).map((again) => ({ first, again }));
  });
}

/**
 * Requests with different keys in one chat whose answers show the same message. Pairs without such a message are left out:
 * two keys that have nothing in common do not show how keys are compared.
 */
function sharingMessages(facts: readonly MessageFacts[]): readonly Pair[] {
  const owners = new Map<string, MessageFacts>();
  return facts.filter(hasPlainKey).flatMap((again) => {
    const { route, answer } = again.recorded;
    const places = messageIds(answer).map((id) => JSON.stringify([route.ownerId, route.id, id]));
    const first = places.flatMap((place) => owners.get(place) ?? []).find(({ key }) => key !== again.key);
    for (const place of places) if (!owners.has(place)) owners.set(place, again);
    return first === undefined ? [] : [{ first, again }];
  });
}

/** The specification does not cover longer keys, and quotation marks, commas and semicolons have a meaning in some headers. */
function hasPlainKey({ key = '' }: MessageFacts): boolean {
  return /^[!-~]{1,255}$/.test(key) && !/[",;]/.test(key);
}

/** With a key, a caller that is surely one, a text, a time, and messages with IDs. */
function isComplete({ key, asked, recorded }: MessageFacts): boolean {
  const { sender, isWhole, isTimed, answer } = recorded;
  const hasIds = messageIds(answer).every((id) => id !== undefined);
  return (
    key !== undefined &&
    key !== '' &&
    !isReplaced(key) &&
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
