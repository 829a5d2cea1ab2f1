import type { Operation } from '../../spec/requirement.ts';

/** Somebody with a key, as the state knows them. */
export type Caller = {
  readonly name: string;
  readonly key: string;
  readonly memberId: string;
  readonly adminOf: ReadonlySet<string>;
};

/** The ID that each operation takes from its path, by name. */
export type PathIds = {
  readonly organizationId: string;
  readonly sourceId: string;
  readonly chatId: string;
  readonly accountId: string;
};

/** A request as the rules see it: every rule may look at it, none changes it. */
export type Request = {
  /** Counts the requests of this world from 1. */
  readonly turn: number;
  /** When it arrived, in milliseconds of the clock. */
  readonly at: number;
  /** How long the client waits, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted when the client is gone before that. */
  readonly left: AbortSignal | undefined;
  readonly method: string;
  readonly path: string;
  /** Undefined where no operation has this path and method. */
  readonly operation: Operation | undefined;
  /** Percent-decoded; empty where the path has no such part. */
  readonly ids: PathIds;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Undefined until the key was found to be good. */
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
  /** What the request named and did not get, for the detail. */
  readonly subject: string;
  /** Milliseconds; only when rate limited. */
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
