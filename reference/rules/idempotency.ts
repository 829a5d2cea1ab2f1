import type { Ask } from '../http/ask.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 4.2 and 8: the idempotency key. */
export const idempotencyRules = {
  keyHeader(): string {
    return 'idempotency-key';
  },
  keyRequired(_ask: Ask): boolean {
    return false;
  },
  /** What stands for a key that is not there; undefined for none, so that nothing repeats the message. */
  keyInstead(_ask: Ask): string | undefined {
    return undefined;
  },
  keyLength(key: string, _ask: Ask): number {
    return key.length;
  },
  keyInRange(length: number, _ask: Ask): boolean {
    return length <= 255;
  },
  /** What of a key counts. */
  keyIdentity(key: string, _ask: Ask): string {
    return key;
  },
  /** Where one key means one thing: for one caller, in one chat. */
  keyScope(caller: string, chatId: string, key: string, _ask: Ask): string {
    return `${caller} ${chatId} ${key}`;
  },
  /** Whether a key is still known. */
  keyRemembered(_exchange: Exchange, _finished: boolean, _later: number, _ask: Ask): boolean {
    return true;
  },
  replayForm(_ask: Ask): 'current' | 'original' {
    return 'current';
  },
  /** What a key with another message than its own gives. */
  replayOfOtherText(_ask: Ask): 'original' | 'refuse' {
    return 'original';
  },
  /** What a key gives that was used in another chat, where its scope spans chats. */
  replayInOtherChat(_ask: Ask): 'original' | 'refuse' {
    return 'original';
  },
  /** Whether a key that met a busy chat is used up by that. */
  conflictUsesKey(_ask: Ask): boolean {
    return false;
  },
  /** Whether a replay begins another response. */
  replayStartsAgain(_exchange: Exchange, _ask: Ask): boolean {
    return false;
  },
} as const;
