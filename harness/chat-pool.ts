import type { Principal, Target } from './target.ts';
import { Blocked } from './verdict.ts';

/** A chat that the target file lets the suite write to, with an admin of its organization. */
export type Chat = {
  readonly organizationId: string;
  readonly chatId: string;
  readonly admin: Principal;
};

/** What is known of a chat between two checks: `unknown` until the suite has seen it idle. */
export type ChatState = 'idle' | 'unknown';

export type ChatPool = {
  /** Takes a chat for one check alone, waiting until one is free. Rejects with Blocked where there is none. */
  readonly lease: (wanted?: (chat: Chat) => boolean) => Promise<Chat>;
  /** Gives it back. `broken` says why no further check should use it. */
  readonly release: (chat: Chat, broken?: string) => void;
  readonly state: (chat: Chat) => ChatState;
  readonly mark: (chat: Chat, state: ChatState) => void;
  /** Every chat with an admin, leased or not. */
  readonly all: readonly Chat[];
};

/** One chat serves one check at a time: two checks in one chat would answer each other with 409. */
export function createChatPool(target: Target): ChatPool {
  const all = usableChats(target);
  const leased = new Set<Chat>();
  const broken = new Map<Chat, string>();
  const states = new Map<Chat, ChatState>();
  let waiting: (() => void)[] = [];

  async function lease(wanted: (chat: Chat) => boolean = () => true): Promise<Chat> {
    for (;;) {
      const candidates = all.filter(wanted);
      if (candidates.length === 0) throw new Blocked(missing(target));
      const usable = candidates.filter((chat) => !broken.has(chat));
      if (usable.length === 0) throw new Blocked([...broken.values()][0] ?? 'no chat is usable');
      const free = usable.find((chat) => !leased.has(chat));
      if (free !== undefined) {
        leased.add(free);
        return free;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  function release(chat: Chat, reason?: string): void {
    leased.delete(chat);
    if (reason !== undefined) broken.set(chat, reason);
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }

  return {
    lease,
    release,
    state: (chat) => states.get(chat) ?? 'unknown',
    mark: (chat, state) => void states.set(chat, state),
    all,
  };
}

function usableChats(target: Target): Chat[] {
  return target.organizations.flatMap(({ id, chats }) => {
    const admin = target.principals.find((principal) => principal.adminOf.includes(id));
    return admin === undefined ? [] : chats.map((chatId) => ({ organizationId: id, chatId, admin }));
  });
}

function missing(target: Target): string {
  return usableChats(target).length === 0
    ? 'no chat to write to: declare organizations.<id>.chats for an organization that a principal is adminOf'
    : 'no declared chat fits: declare more chats under organizations.<id>.chats';
}
