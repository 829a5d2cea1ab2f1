import { type Answer, answerOf } from '../../../core/exchange.ts';
import { isGateways } from '../../../core/gateway-answer.ts';
import { type Attempt, explain } from '../../../engine/history/chat-history.ts';
import { repeatedAfter, repeatedWhileGenerating } from '../../../promises/idempotency.ts';
import type { Judgement } from '../../../promises/judgement.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { createJudgedTally, type Ended, exchangeOf, type Judged } from './judged.ts';

/** An accepted message: its first request, and every repetition of it. */
export type Followed = {
  readonly first: Ended;
  readonly again: Ended[];
  /** Repetitions after the trial. They show only when the response was finished. */
  readonly afterLoad: Ended[];
  /** Messages that were sent to the chat while this one was generating; with their repetitions if they were accepted. */
  readonly seconds: Followed[];
};

/** The same request once more. */
export function repetitionOf({ request }: Ended): LoadRequest {
  return { ...request, sure: undefined };
}

/** Judges messages by their repetitions, and by what was sent to their chats while they were generating. */
export async function judgeFollowed(
  messages: readonly Followed[],
  { toleranceMs }: { readonly toleranceMs: number },
): Promise<Judged> {
  const tally = createJudgedTally();
  const inBusyChats = new Set(messages.flatMap(({ seconds }) => seconds));
  const byChat = Map.groupBy(
    messages.filter((one) => !inBusyChats.has(one)),
    ({ first }) => first.request.request.path,
  );
  for (const { first, again, afterLoad, seconds } of messages) {
    const original = answerOf(await exchangeOf(first));
    const showsEnd = again.some(({ arrived: { outcome } }) => outcome === 200);
    for (const ended of original === undefined ? [] : again) {
      const repetition = answerOf(await exchangeOf(ended));
      if (original === undefined || repetition === undefined || !isJudged(repetition)) continue;
      const exchanges = [original.exchange, repetition.exchange];
      for (const { requirement, judge } of [repeatedAfter, repeatedWhileGenerating]) {
        const judgement = judge({ first: original, again: repetition });
        const isAfter = judgement === 'kept' && !showsEnd && isOver(first, ended, byChat);
        tally.add(isAfter ? repeatedAfter.requirement : requirement, judgement, exchanges);
      }
    }
    const repeated = [...again, ...afterLoad];
    for (const second of seconds) {
      const later = repeated.filter(({ sentAt }) => sentAt >= second.first.endedAt);
      const proof = [first, second.first, later[0], later.at(-1)].filter((one) => one !== undefined);
      const judgement = judgeSecond([first, ...repeated], [second.first, ...second.again], toleranceMs);
      tally.add('conflict.refused', judgement, await Promise.all([...new Set(proof)].map(exchangeOf)));
    }
  }
  return tally.result();
}

/** Whether the chat accepted a later message, when the load took it for idle. Then the response was finished, even if repetitions show the first answer for ever. */
function isOver(first: Ended, again: Ended, byChat: ReadonlyMap<string, readonly Followed[]>): boolean {
  const inChat = byChat.get(first.request.request.path) ?? [];
  return inChat.some(({ first: next }) => next.sentAt > first.endedAt && next.endedAt <= again.sentAt);
}

/** A message that was sent while another was generating was refused, or the responses of both can have followed each other. */
function judgeSecond(first: readonly Ended[], second: readonly Ended[], toleranceMs: number): Judgement {
  const outcome = second[0]?.arrived.outcome;
  if (outcome === 409) return 'kept';
  const attempts = [...first.map(attemptOf('first')), ...second.map(attemptOf('second'))];
  const { kind } = explain({ idleAt: Number.NEGATIVE_INFINITY, toleranceMs, attempts });
  if (kind !== 'inexplicable') return undefined;
  return {
    expected: '409 for a message to a chat in which a response is generating',
    actual: `${outcome}, while the response to an earlier message was generating`,
  };
}

function attemptOf(key: string): (ended: Ended) => Attempt {
  return ({ request: { request }, arrived: { outcome }, sentAt, endedAt }) => ({
    key,
    sentAt,
    receivedAt: typeof outcome === 'number' ? endedAt : Number.POSITIVE_INFINITY,
    waitMs: 1000 * Number(/[?&]wait=(\d+)/.exec(request.path)?.[1] ?? 0),
    status: typeof outcome === 'number' ? outcome : 0,
  });
}

/** A refusal for another reason says nothing about the key: too many requests, a timeout, or an error of the server. */
function isJudged(answer: Answer): boolean {
  return answer.status < 500 && answer.status !== 429 && answer.status !== 408 && !isGateways(answer);
}
