import type { Caller } from '../http/request.ts';
import type { JsonObject } from '../http/json.ts';
import type { Item } from './item.ts';

export type OrganizationData = {
  readonly id: string;
  /** Newest first. */
  readonly models: readonly Item[];
  /** Newest first. */
  readonly sources: readonly Item[];
  readonly disposable: readonly string[];
  readonly chats: readonly string[];
};

export type AccountData = {
  readonly id: string;
  readonly owner: string;
  readonly attachable: readonly string[];
  readonly record: JsonObject;
};

/** The initial data of a world. It never changes, and worlds with the same seed and options share it. */
export type WorldData = {
  readonly organizations: ReadonlyMap<string, OrganizationData>;
  readonly accounts: ReadonlyMap<string, AccountData>;
  readonly callers: readonly Caller[];
  readonly callersByKey: ReadonlyMap<string, Caller>;
};
