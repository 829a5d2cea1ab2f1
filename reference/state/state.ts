import type { Outcome } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { AccountData, OrganizationData, WorldData } from '../data/world-data.ts';

/** An accepted message and its response. Whether the response is finished follows from the clock. */
export type Message = {
  readonly chatId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly assistantId: string;
  /** Its parent; null at the beginning of a chat. */
  readonly parentId: string | null;
  readonly text: string;
  readonly acceptedAt: number;
  readonly finishesAt: number;
};

/** A message in a chat, with what may still change about it. */
export type Exchange = Omit<Message, 'finishesAt'> & {
  /** Earlier than planned, where something ended the response. */
  finishesAt: number;
  /** The answer to the request that created it; undefined until it is given. */
  first: Outcome | undefined;
};

export type Chat = {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: number;
  /** Oldest first. */
  readonly exchanges: Exchange[];
};

export type Source = {
  readonly item: Item;
  /** When it was deleted. */
  deletedAt: number | undefined;
};

export type Organization = {
  readonly data: OrganizationData;
  /** Only data sources that were deleted. */
  readonly deleted: Map<string, Source>;
};

export type Account = {
  readonly data: AccountData;
  /** Every accepted attachment in order, repeated ones too. */
  readonly attachments: string[];
};

/** The part of its quota that a caller has used. */
export type RateWindow = {
  readonly startedAt: number;
  /** Requests that passed since then. A fraction for a bucket that drains. */
  readonly used: number;
  /** When they passed, oldest first, for a sliding window. This list is changed in place. */
  readonly passedAt: number[];
};

/** Everything that changes. */
export type State = {
  readonly data: WorldData;
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly chats: ReadonlyMap<string, Chat>;
  readonly accounts: ReadonlyMap<string, Account>;
  /** By the scope that the rules give a key. */
  readonly exchangesByKey: Map<string, Exchange>;
  /** Scopes of keys that a busy chat used up. */
  readonly keysUsedUp: Set<string>;
  readonly rateWindows: Map<string, RateWindow>;
};

/** The initial state of a world. */
export function createState(data: WorldData, createdAt: number): State {
  const chats = new Map<string, Chat>();
  const organizations = new Map<string, Organization>();
  for (const organization of data.organizations.values()) {
    organizations.set(organization.id, { data: organization, deleted: new Map() });
    for (const id of organization.chats) {
      chats.set(id, { id, organizationId: organization.id, createdAt, exchanges: [] });
    }
  }
  const accounts = new Map<string, Account>();
  for (const account of data.accounts.values()) accounts.set(account.id, { data: account, attachments: [] });
  return {
    data,
    organizations,
    chats,
    accounts,
    exchangesByKey: new Map(),
    keysUsedUp: new Set(),
    rateWindows: new Map(),
  };
}
