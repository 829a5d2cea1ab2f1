import { realClock } from '../../../core/clock.ts';
import type { Target } from '../../../core/target.ts';
import type { RateCap } from '../../engine/rate-cap.ts';
import { isAccepted, type SendOptions, sendOne, type Sent } from '../../engine/send-one.ts';
import { openSockets } from '../../engine/sockets.ts';
import type { Profile } from '../../profile/profile.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import { messageRequest } from '../../schedule/load-request.ts';
import { connectTimeoutMs, type Run } from '../begin-run.ts';

/** The pause between two attempts to write to a busy chat. */
const lookMs = 500;

/** What is sent to a chat. */
type Written = { readonly text: string; readonly key: string; readonly waitSeconds?: number };

/** Sends messages to chats, even to busy ones. */
export type Writer = SendOptions & {
  readonly target: Target;
  readonly write: (chat: OpenChat, written: Written) => Promise<Sent>;
};

export type WriterOptions = {
  /** Requests count from this instant of `performance.now()`. */
  readonly startAt: number;
  readonly connections: number;
  readonly profile: Profile;
  readonly target: Target;
  readonly rateCap: Pick<RateCap, 'admit' | 'waitMs'>;
};

export function openWriter(run: Run, { startAt, connections, profile, target, rateCap }: WriterOptions): Writer {
  const { measurement, listener, signal, runId } = run;
  const sockets = openSockets(target, connections, connectTimeoutMs, rateCap);
  const sending: SendOptions = { sockets, measurement, startAt, listener, signal };
  return {
    ...sending,
    target,
    write: (chat, { text, key, waitSeconds }) =>
      sendOne(
        sending,
        messageRequest(target, chat, {
          text,
          key: `awc-${runId}-${key}`,
          waitSeconds,
          timeoutMs: profile.timeoutMs,
        }),
      ),
  };
}

/** Waits until a chat has accepted and answered a message; false if that takes longer than a response may take. */
export async function becomesIdle({ target, signal, write }: Writer, chat: OpenChat): Promise<boolean> {
  const { quickPrompt: text, timeoutSeconds } = target.assistant;
  const waitSeconds = Math.min(300, Math.max(1, Math.floor(timeoutSeconds)));
  const giveUpAt = performance.now() + timeoutSeconds * 1000;
  for (let turn = 0; performance.now() < giveUpAt && !signal.aborted; turn += 1) {
    const sent = await write(chat, { text, key: `idle-${Math.floor(performance.now())}-${turn}`, waitSeconds });
    if (isAccepted(sent) && sent.arrived.outcome === 200) return true;
    await realClock.sleep(lookMs);
  }
  return false;
}
