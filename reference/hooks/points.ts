import type { OutageKind } from '../../core/outages.ts';
import type { Item, Place } from '../data/item.ts';
import type { Json, JsonObject } from '../http/json.ts';
import type { Caller, Refusal, RefusalKind, Request } from '../http/request.ts';
import type { Entry } from '../state/journal.ts';
import type { Outage } from './seen-outages.ts';
import type { Chat, Exchange, Message } from '../state/state.ts';

type Point<Value, About extends readonly unknown[]> = { readonly value: Value; readonly about: About };
type Shown<About extends readonly unknown[] = []> = Point<JsonObject, [Request, ...About]>;

/** What a refused message may leave behind. `answered-in-turn` stores it once the chat is idle. */
export type RefusedFate = 'nothing' | 'answered-now' | 'answered-later' | 'answered-in-turn' | 'stored';

/** Where a fault or a choice may alter what passes, with what is known there about it. */
type Points = {
  received: Point<Request, []>;
  /** Who sends a request, among those who have a key. */
  caller: Point<Caller | undefined, [Request, ReadonlyMap<string, Caller>]>;
  /** The organization that the path names; the function gives the IDs of all. */
  organizationId: Point<string, [Request, () => readonly string[]]>;
  /** Whether the resource is looked up before the key. */
  lookupFirst: Point<boolean, [Request]>;
  /** Whether a refused request is carried out. */
  carriedOut: Point<boolean, [Request, Refusal]>;

  /** The models of the path's organization; the function gives those of all others. */
  models: Point<readonly Item[], [Request, () => readonly Item[]]>;
  sources: Point<readonly Item[], [Request, () => readonly Item[]]>;
  /** The data source by which models are filtered. */
  filter: Point<string | undefined, [Request]>;
  cursor: Point<string, [Request]>;
  /** How many items an accepted limit asks for. */
  pageSize: Point<number, [Request]>;
  /** The items in the order in which they are paged through. */
  sequence: Point<readonly Item[], [Request]>;
  /** The place of the first item of a page that has a cursor. */
  pageStart: Point<number, [Request, readonly Item[]]>;
  pageItems: Point<readonly Item[], [Request, readonly Item[]]>;
  pagination: Shown;
  /** A record in a list. The same object lets its JSON text be reused. */
  modelShown: Shown<[Place]>;
  sourceShown: Shown<[Place]>;

  /** The data source that the path of a deletion names; the function gives the IDs of the organization's. */
  sourceId: Point<string, [Request, () => readonly string[]]>;
  /** The data sources that a deletion marks, among all of the organization. */
  deletes: Point<readonly Item[], [Request, readonly Item[]]>;
  /** The record in the answer to a deletion. */
  deletedRecord: Shown<[readonly Item[]]>;

  /** The billing account that the path names, among the IDs of all. */
  accountId: Point<string, [Request, readonly string[]]>;
  accountShown: Shown;
  /** The organizationId of a body, of whatever type. */
  attachedField: Point<Json | undefined, [Request]>;
  attachable: Point<boolean, [Request]>;
  /** Whether an accepted attachment is recorded, given those before it. */
  attachmentCounts: Point<boolean, [Request, string, readonly string[]]>;

  /** The chat that the path names; the function gives the IDs of the organization's chats. */
  chatId: Point<string, [Request, () => readonly string[]]>;
  /** A body before it is parsed. */
  jsonText: Point<string, [Request]>;
  /** The message of a body, of whatever type. */
  messageField: Point<Json | undefined, [Request]>;
  /** The text of an accepted message. */
  messageText: Point<string, [Request]>;
  /** The accepted key; undefined where there is none. */
  key: Point<string | undefined, [Request]>;
  /** The accepted wait in seconds; undefined where it is refused. Beside it: what was read, perhaps NaN. */
  wait: Point<number | undefined, [Request, number]>;
  /** Whether a key is still known, with its message, whether the response is finished, and how many messages came later. */
  keyKnown: Point<boolean, [Request, Exchange, boolean, number]>;
  /** Whether a repeated request begins another response. */
  startsAgain: Point<boolean, [Request, Exchange]>;
  /** The chats among which one response may be generating; the function gives all chats. */
  rivals: Point<readonly Chat[], [Request, () => readonly Chat[]]>;
  /** What a busy chat does with another message; `queue` accepts it, and answers, when the chat is idle. */
  whenBusy: Point<'refuse' | 'accept' | 'queue', [Request]>;
  /** When a response finishes that was generating while another message came, which was at the last of these. */
  disturbedEnd: Point<number, [Request, Exchange, number]>;
  /** What becomes of a refused message. */
  refusedMessage: Point<RefusedFate, [Request, RefusalKind]>;
  messageId: Point<string, [Request, 'user' | 'assistant', Exchange | undefined]>;
  /** Milliseconds between looking at the state and changing it. */
  pauseMs: Point<number, [Request]>;
  /** How often a held request looks whether its response ended early, in milliseconds. */
  lookAgainMs: Point<number, [Request]>;
  chatShown: Shown;
  userMessageShown: Shown<[Exchange]>;
  assistantMessageShown: Shown<[Exchange, boolean]>;
  partShown: Shown;
  chartShown: Shown;

  retryAfterMs: Point<Json, [Request, number]>;
  /** Title, detail and retryAfterMs of a refusal; the function gives a name that a denial must not disclose. */
  error: Shown<[RefusalKind, () => string]>;
  status: Point<number, [Request]>;
  bodyText: Point<string, [Request, number]>;
  /** What a restart or another node has of an entry of that age in milliseconds. */
  restored: Point<Entry | undefined, [number, OutageKind]>;
};

type Alterations = {
  readonly [Name in keyof Points]: (
    value: Points[Name]['value'],
    ...about: Points[Name]['about']
  ) => Points[Name]['value'];
};

type Event<Subject, About extends readonly unknown[] = []> = [Subject, Request, ...About];

/** What a fault or a choice may observe. */
type Events = {
  onRefused: Event<Refusal>;
  onAccepted: Event<Message>;
  /** The key of a request was found with that message. */
  onRepeated: Event<Exchange>;
  /** The client of a message went away before its answer. */
  onClientLeft: Event<Exchange>;
  onDeleted: Event<Item>;
  /** An attachment was accepted; those before it. */
  onAttached: Event<string, [readonly string[]]>;
  onOutage: [Outage];
};

type Observers = { readonly [Name in keyof Events]: (...event: Events[Name]) => void };

export type Hooks = Alterations & Observers;
