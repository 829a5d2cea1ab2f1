import { instantOf } from '../../core/instant.ts';
import type { Answer } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Latest } from './latest-message.ts';

/** A message that was answered 409 so late that something may have sent it twice: the answer may be that to the second one. */
export type LateRefusal = Pick<Latest, 'chat' | 'caller' | 'key' | 'text' | 'written'> & { readonly refused: Answer };

/** How many of them are remembered. */
const most = 3;

export const lateRefusalsIn = perRun((): LateRefusal[] => []);

export function rememberLateRefusal(
  session: Session,
  { text, ...message }: Omit<LateRefusal, 'text'> & { readonly text: unknown },
): void {
  const late = lateRefusalsIn(session);
  const isLate = message.refused.elapsedMs >= session.target.limits.toleranceMs;
  if (isLate && typeof text === 'string' && late.length < most) late.push({ ...message, text });
}

/** How exactly the time of a response must be that of the refusal, in milliseconds: clocks differ. */
const nearMs = 5000;
/** How long after the refusal a repetition shows something: a response that it begins itself is not near the refusal. */
const apartMs = 20_000;

/**
 * Whether the finished response that a repetition shows began at the time of the refusal. If a clock is wrong by as much as the
 * repetition came later, a response that the repetition began looks the same, but such a response is not finished at once.
 */
export function isFromThen({ refused }: LateRefusal, again: Answer): boolean {
  const began = instantOf(at(again.json, 'data', 'assistantMessage', 'createdAt'));
  const { sentAt, receivedAt } = refused.exchange;
  const isNear = began !== undefined && began >= sentAt - nearMs && began <= receivedAt + nearMs;
  return again.status === 200 && isNear && again.exchange.sentAt - receivedAt >= apartMs;
}
