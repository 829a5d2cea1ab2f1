import type { Request } from '../http/request.ts';

/** Sections 4.2 and 8: the idempotency key. */
export const idempotencyRules = {
  keyHeader(): string {
    return 'idempotency-key';
  },
  keyRequired(_request: Request): boolean {
    return false;
  },
  keyAccepted(key: string, _request: Request): boolean {
    return key.length <= 255;
  },
  /** Where one key means one message: for one caller, in one chat. */
  keyScope(caller: string, chatId: string, key: string, _request: Request): string {
    return `${caller} ${chatId} ${key}`;
  },
  replayForm(_request: Request): 'current' | 'original' {
    return 'current';
  },
  /** What a key with another text than its own gives. */
  replayOfOtherText(_request: Request): 'original' | 'refuse' {
    return 'original';
  },
  /** What a key gives that was used in another chat, where its scope spans chats. */
  replayInOtherChat(_request: Request): 'original' | 'refuse' {
    return 'original';
  },
  /** Whether a request that meets a busy chat uses its key up. */
  conflictUsesKey(_request: Request): boolean {
    return false;
  },
} as const;
