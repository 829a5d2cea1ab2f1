import type { HeaderNames } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';

/** A principal with an API key. */
export type Caller = {
  readonly name: string;
  readonly key: string;
  readonly memberId: string;
  readonly adminOf: ReadonlySet<string>;
};

/** The IDs in a path, by name. */
export type PathIds = {
  readonly organizationId: string;
  readonly sourceId: string;
  readonly chatId: string;
  readonly accountId: string;
};

/** A request that was read. No rule changes it. */
export type Request = {
  /** Counts the requests of this world from 1. */
  readonly turn: number;
  /** The node that it was sent to, from 0. */
  readonly node: number;
  /** The time of its arrival, in milliseconds of the clock. */
  readonly at: number;
  /** How long the client waits, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the client disconnects before that. */
  readonly left: AbortSignal | undefined;
  readonly method: string;
  readonly path: string;
  /** Undefined where no operation has this path and method. */
  readonly operation: Operation | undefined;
  /** Percent-decoded; empty where the path has no such part. */
  readonly ids: PathIds;
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** The query as it was sent, without its question mark. */
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How the names of headers were written; undefined stands for the usual way, as in `Content-Type`. */
  readonly headerNames: HeaderNames | undefined;
  readonly body: string;
  /** In how many chunks it came; 0 if it came whole. */
  readonly chunks: number;
  /** Undefined until the key is found to be valid. */
  readonly caller: Caller | undefined;
};

export type RefusalKind =
  | 'unauthenticated'
  | 'denied'
  | 'rateLimited'
  | 'unknownRoute'
  | 'unknownOrganization'
  | 'unknownSource'
  | 'unknownFilter'
  | 'unknownChat'
  | 'unknownAccount'
  | 'unknownAttached'
  | 'unknownCursor'
  | 'alreadyDeleted'
  | 'invalidLimit'
  | 'invalidQuery'
  | 'invalidWait'
  | 'invalidKey'
  | 'missingKey'
  | 'invalidMessage'
  | 'invalidAttached'
  | 'malformedBody'
  | 'wrongMediaType'
  | 'keyReused'
  | 'conflict'
  | 'failedInside';

export type Refusal = {
  readonly ok: false;
  readonly kind: RefusalKind;
  /** The name or ID that was refused. */
  readonly subject: string;
  /** In milliseconds; only for a rate-limit error. */
  readonly retryAfterMs?: number;
};

export type Success = {
  readonly ok: true;
  readonly status: number;
  /** JSON. */
  readonly text: string;
};

export type Outcome = Success | Refusal;

export function refusal(kind: RefusalKind, subject = ''): Refusal {
  return { ok: false, kind, subject };
}

/** Whether a list of models is filtered by a data source. */
export function isFiltered({ query }: Request): boolean {
  return query.has('databaseConnectionId');
}
