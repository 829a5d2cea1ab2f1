import type { Fact } from '../../../reports/load/load-record.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import type { Sent } from '../../engine/send-one.ts';
import { isAccepted } from '../../engine/send-one.ts';
import type { Writer } from './chat-writer.ts';

/** Each request is held for that long: an answer of 202 then shows its message in progress well after it was accepted. */
const waitSeconds = 1;
/** How early a timer of the target may be, in milliseconds. */
const slackMs = 100;

/**
 * Many messages to one idle chat at the same instant. Two of them are a violation only when it is certain that both were
 * being answered at once: each was held for its whole wait, so it was accepted a second before its answer, and each answer
 * says that its message is still in progress then.
 *
 *     A  ├──accepted────── held ──────┤ 202
 *     B     ├──accepted────── held ──────┤ 202      B was accepted before A's answer
 */
export async function raceForChat(writer: Writer, chat: OpenChat, writers: number): Promise<Fact> {
  const text = writer.target.assistant.slowPrompt;
  const sent = await Promise.all(
    Array.from({ length: writers }, (_, index) =>
      writer.write(chat, { text, key: `r${index}-${chat.chatId}`, waitSeconds }),
    ),
  );
  const accepted = sent.filter(isAccepted);
  const atOnce = mostAtOnce(accepted);
  const name = 'one response at a time';
  if (atOnce > 1)
    return { name, value: `${atOnce} of ${writers} messages were being answered in one chat at once`, verdict: 'bad' };
  if (accepted.length === 1)
    return { name, value: `one of ${writers} simultaneous messages was accepted`, verdict: 'good' };
  if (accepted.length === 0)
    return { name, value: `none of ${writers} simultaneous messages was accepted`, verdict: 'unclear' };
  const value = `${accepted.length} of ${writers} simultaneous messages were accepted, perhaps one after the other: assistant.slowPrompt finishes too quickly to decide`;
  return { name, value, verdict: 'unclear' };
}

/** How many messages were certainly in progress at one instant. */
export function mostAtOnce(accepted: readonly Sent[]): number {
  const spans = accepted
    .filter(
      ({ arrived, sentAt, endedAt }) => arrived.outcome === 202 && endedAt - sentAt >= waitSeconds * 1000 - slackMs,
    )
    .map(({ endedAt }) => ({ from: endedAt - waitSeconds * 1000 + slackMs, to: endedAt }));
  return Math.max(0, ...spans.map(({ to }) => spans.filter((other) => other.from <= to && to <= other.to).length));
}
