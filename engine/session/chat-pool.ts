import { createLeases } from './chat-leases.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Principal, Target } from '../../core/target.ts';

/** A chat that the target file allows the suite to write to, with an admin of its organization. */
export type Chat = {
  readonly organizationId: string;
  readonly chatId: string;
  readonly admin: Principal;
};

/** The state of a chat: `idle` since the answer that showed its last response finished, or `unknown`. */
type ChatState =
  /** `isSure` is false after a repetition: a wrong deployment may respond again. */
  | { readonly state: 'idle'; readonly finished: Answer; readonly isSure: boolean }
  /** `finished` is set if no message can have been accepted since that answer. */
  | { readonly state: 'unknown'; readonly finished: Answer | undefined };

/** A chat that kept refusing messages although its last response was shown finished and no message followed. */
type Stuck = { readonly chat: Chat; readonly finished: Answer; readonly refused: Answer };

export type ChatPool = {
  /** Takes a chat for one check alone once one is free. Rejects with Blocked if there is none. */
  readonly lease: (wanted?: (chat: Chat) => boolean) => Promise<Chat>;
  /** Takes two at once, so that two checks never wait for each other. */
  readonly leasePair: (wanted: (first: Chat, second: Chat) => boolean) => Promise<readonly [Chat, Chat]>;
  /** Takes up to `most` chats of one organization and one of another, if three or more of one are free now. */
  readonly leaseGroup: (most: number) => Promise<readonly Chat[]> | undefined;
  readonly release: (chat: Chat) => void;
  readonly standing: (chat: Chat) => ChatState;
  /** Call this if a message was or may have been accepted, and its response is not known to be finished. */
  readonly mark: (chat: Chat, state: 'unknown') => void;
  readonly markFinished: (chat: Chat, answer: Answer, shownBy?: 'message' | 'repetition') => void;
  /** Call this if the chat answered 409 although it has accepted nothing since its last response finished. */
  readonly markBusy: (chat: Chat) => void;
  /** After this, no check gets the chat, unless it is taken back. `refused` is the last 409. */
  readonly giveUp: (chat: Chat, reason: string, refused?: Answer) => void;
  /** Undoes `giveUp`: checks get the chat again. */
  readonly takeBack: (chat: Chat) => void;
  readonly stuck: () => readonly Stuck[];
  /** A chat without a message of this run, which other checks get only after its first one. Undefined if few are declared. */
  readonly kept: () => Chat | undefined;
  /** Every chat with an admin, leased or not. */
  readonly all: readonly Chat[];
};

/** If a target declares at least this many chats, one is kept for a first message. */
const leastToKeep = 4;

/** Pairs are made of this many chats, each with at most this many others, to bound their number. */
const maxPaired = 24;

/** One chat serves one check at a time: two checks in one chat would cause 409 for each other. */
export function createChatPool(target: Target): ChatPool {
  const all = usableChats(target);
  const standings = new Map<Chat, ChatState>();
  const stuck: Stuck[] = [];
  const standing = (chat: Chat): ChatState => standings.get(chat) ?? { state: 'unknown', finished: undefined };
  // The suite need not wait for idle chats to settle.
  const leases = createLeases<Chat>(doubtOf, missing(all));

  /** How long a chat may keep a check waiting, as a rank: an idle one least, and the one that became busy last longest. */
  function doubtOf(chat: Chat): number {
    const now = standing(chat);
    if (now.state === 'idle') return now.isSure ? 0 : 1;
    return 3 + [...standings.keys()].indexOf(chat);
  }

  function forget(chat: Chat, finished: Answer | undefined): void {
    standings.delete(chat); // so that it is the last one
    standings.set(chat, { state: 'unknown', finished });
  }

  const kept = (): Chat | undefined => {
    const last = all.length < leastToKeep ? undefined : all.at(-1);
    return last === undefined || standings.has(last) ? undefined : last;
  };

  /** The groups without the kept chat, if there are any. */
  function leaseOneOf(groups: readonly (readonly Chat[])[]): Promise<readonly Chat[]> {
    const keptNow = kept();
    const others = groups.filter((group) => !group.some((chat) => chat === keptNow));
    return leases.leaseOneOf(others.length > 0 ? others : groups);
  }

  async function lease(wanted: (chat: Chat) => boolean = () => true): Promise<Chat> {
    const [chat] = await leaseOneOf(all.filter(wanted).map((candidate) => [candidate]));
    if (chat === undefined) throw new Error('a lease of nothing');
    return chat;
  }

  async function leasePair(wanted: (first: Chat, second: Chat) => boolean): Promise<readonly [Chat, Chat]> {
    const inOrder = fromEveryOrganization(all);
    const pairs = inOrder.slice(0, maxPaired).flatMap((first) =>
      inOrder
        .filter((second) => second !== first && wanted(first, second))
        .slice(0, maxPaired)
        .map((second) => [first, second]),
    );
    const [first, second] = await leaseOneOf(pairs);
    if (first === undefined || second === undefined) throw new Error('a lease of nothing');
    return [first, second];
  }

  function leaseGroup(most: number): Promise<readonly Chat[]> | undefined {
    const free = all.filter((chat) => leases.isFree(chat) && chat !== kept());
    const groups = [...Map.groupBy(free, ({ organizationId }) => organizationId).values()];
    const [largest, ...others] = groups.toSorted((a, b) => b.length - a.length);
    if (largest === undefined || largest.length < 3) return undefined;
    return leases.leaseOneOf([[...largest.slice(0, most), ...others.flat().slice(0, 1)]]);
  }

  function giveUp(chat: Chat, reason: string, refused?: Answer): void {
    const { finished } = standing(chat);
    if (finished !== undefined && refused !== undefined) stuck.push({ chat, finished, refused });
    leases.withdraw(chat, reason);
  }

  return {
    lease,
    leasePair,
    leaseGroup,
    release: leases.release,
    standing,
    mark: (chat) => forget(chat, undefined),
    markFinished: (chat, finished, shownBy = 'message') =>
      void standings.set(chat, { state: 'idle', finished, isSure: shownBy === 'message' }),
    markBusy: (chat) => forget(chat, standing(chat).finished),
    giveUp,
    takeBack: leases.restore,
    stuck: () => stuck,
    kept,
    all,
  };
}

function usableChats(target: Target): Chat[] {
  return target.organizations.flatMap(({ id, chats }) => {
    const admin = target.principals.find((principal) => principal.adminOf.includes(id));
    return admin === undefined ? [] : chats.map((chatId) => ({ organizationId: id, chatId, admin }));
  });
}

/**
 * The first chat of each organization, then the second of each, so that the first chats have different callers. Of the first chats,
 * those of organizations with several come first, because only these are in pairs of one organization.
 */
function fromEveryOrganization(all: readonly Chat[]): readonly Chat[] {
  const byOrganization = [...Map.groupBy(all, ({ organizationId }) => organizationId).values()];
  const several = byOrganization.filter((chats) => chats.length > 1);
  const single = byOrganization.filter((chats) => chats.length === 1);
  const most = Math.max(0, ...byOrganization.map((chats) => chats.length));
  return Array.from({ length: most }, (_, place) =>
    [...several, ...single].flatMap((chats) => chats[place] ?? []),
  ).flat();
}

function missing(all: readonly Chat[]): string {
  return all.length === 0
    ? 'no chat to write to: declare organizations.<id>.chats for an organization that a principal is adminOf'
    : 'no declared chat fits: declare more chats under organizations.<id>.chats';
}
