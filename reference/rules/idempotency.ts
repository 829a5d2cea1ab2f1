import type { Request } from '../http/request.ts';
import type { Exchange } from '../state/state.ts';

/** Sections 4.2 and 8: the idempotency key. */
export const idempotencyRules = {
  keyHeader(): string {
    return 'idempotency-key';
  },
  keyRequired(_request: Request): boolean {
    return false;
  },
  /** What stands for a key that is not there; undefined for none, so that nothing repeats the message. */
  keyInstead(_request: Request): string | undefined {
    return undefined;
  },
  keyLength(key: string, _request: Request): number {
    return key.length;
  },
  keyInRange(length: number, _request: Request): boolean {
    return length <= 255;
  },
  /** What of a key counts. */
  keyIdentity(key: string, _request: Request): string {
    return key;
  },
  /** Where one key means one thing: for one caller, in one chat. */
  keyScope(caller: string, chatId: string, key: string, _request: Request): string {
    return `${caller} ${chatId} ${key}`;
  },
  /** Whether a key is still known. */
  keyRemembered(_exchange: Exchange, _finished: boolean, _later: number, _request: Request): boolean {
    return true;
  },
  replayForm(_request: Request): 'current' | 'original' {
    return 'current';
  },
  /** What a key with another message than its own gives. */
  replayOfOtherText(_request: Request): 'original' | 'refuse' {
    return 'original';
  },
  /** What a key gives that was used in another chat, where its scope spans chats. */
  replayInOtherChat(_request: Request): 'original' | 'refuse' {
    return 'original';
  },
  /** Whether a key that met a busy chat is used up by that. */
  conflictUsesKey(_request: Request): boolean {
    return false;
  },
  /** Whether a replay begins another response. */
  replayStartsAgain(_exchange: Exchange, _request: Request): boolean {
    return false;
  },
} as const;
