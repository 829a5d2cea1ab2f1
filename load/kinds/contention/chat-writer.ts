import type { Target } from '../../../core/target.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import { messageRequest } from '../../schedule/load-request.ts';
import { type SendOptions, sendOne, type Sent } from '../../engine/send-one.ts';

export type WriterOptions = SendOptions & {
  readonly target: Target;
  /** In every key that is written. */
  readonly runId: string;
  readonly timeoutMs: number;
};

/** What is sent to a chat. */
export type Written = { readonly text: string; readonly key: string; readonly waitSeconds?: number };

/** One message to a chat, whatever it is busy with. */
export function write(
  { target, runId, timeoutMs, ...sending }: WriterOptions,
  chat: OpenChat,
  written: Written,
): Promise<Sent> {
  const { text, key, waitSeconds } = written;
  return sendOne(sending, messageRequest(target, chat, { text, key: `awc-${runId}-${key}`, waitSeconds, timeoutMs }));
}

export function isAccepted({ arrived: { outcome } }: Sent): boolean {
  return outcome === 200 || outcome === 202;
}
