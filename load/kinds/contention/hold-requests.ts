import { realClock } from '../../../core/clock.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import type { Writer } from './chat-writer.ts';

/** Held requests. */
export type Held = {
  /** Requests that are held now. */
  readonly now: () => number;
  /** The most that were held at once. */
  readonly peak: () => number;
  /** Answers of 202 that came before their wait was over: those requests were not held. */
  readonly atOnce: () => number;
  /** Resolves when the last one has ended. */
  readonly ended: Promise<void>;
};

/** A wait may be this much shorter than requested. */
const slackMs = 100;
const pauseMs = 500;

/**
 * Keeps that many requests held with `wait`, until the signal. A chat answers one message at a time, so all requests of a
 * chat carry one idempotency key: the first makes the message, and the others wait for it. When it is finished, a new one
 * is made.
 */
export function holdRequests(
  writer: Writer,
  chats: readonly OpenChat[],
  { held, waitSeconds }: { readonly held: number; readonly waitSeconds: number },
  until: AbortSignal,
): Held {
  let now = 0;
  let peak = 0;
  let atOnce = 0;
  const generations = chats.map(() => 0);

  async function hold(index: number): Promise<void> {
    const place = index % chats.length;
    const chat = chats[place];
    if (chat === undefined) return;
    while (!until.aborted) {
      const generation = generations[place] ?? 0;
      const key = `held-${place}-${generation}`;
      now += 1;
      peak = Math.max(peak, now);
      const text = writer.target.assistant.slowPrompt;
      const { arrived, sentAt, endedAt } = await writer.write(chat, { text, key, waitSeconds });
      now -= 1;
      if (arrived.outcome === 200 && generations[place] === generation) generations[place] = generation + 1;
      const wasHeld = endedAt - sentAt >= waitSeconds * 1000 - slackMs;
      if (arrived.outcome === 202 && !wasHeld) atOnce += 1;
      if (arrived.outcome !== 200 && !wasHeld) await realClock.sleep(pauseMs);
    }
  }

  const all = Promise.all(Array.from({ length: held }, (_, index) => hold(index)));
  return { now: () => now, peak: () => peak, atOnce: () => atOnce, ended: all.then(() => {}) };
}
