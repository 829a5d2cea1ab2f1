import type { Outcome } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { AccountData, OrganizationData, WorldData } from '../data/world-data.ts';

/** One accepted message and the response to it. Whether that is finished follows from the clock. */
export type Exchange = {
  readonly chatId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly assistantId: string;
  /** The message that it follows; null at the beginning of a chat. */
  readonly parentId: string | null;
  readonly text: string;
  readonly acceptedAt: number;
  /** Earlier than it was going to be, where something ended it. */
  finishesAt: number;
  /** What the request that created it was answered, once it was. */
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
  /** Only data sources that somebody deleted. */
  readonly deleted: Map<string, Source>;
};

export type Account = {
  readonly data: AccountData;
  /** Every accepted attachment in order, repeated ones too. */
  readonly attachments: string[];
};

/** How much of its quota a caller has used. */
export type RateWindow = {
  readonly startedAt: number;
  /** Requests that passed since then; a fraction for a bucket that drains. */
  readonly used: number;
  /** When they passed, oldest first, for a window that slides: its own list, to be changed in place. */
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
  /** Scopes of keys that met a busy chat, where that uses a key up. */
  readonly keysUsedUp: Set<string>;
  readonly rateWindows: Map<string, RateWindow>;
};

/** A world at its beginning. */
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
