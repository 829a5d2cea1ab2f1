import type { RefusalKind, Request } from '../http/request.ts';
import type { Json, JsonObject } from '../http/json.ts';

const statuses = {
  unauthenticated: 401,
  denied: 404,
  rateLimited: 429,
  unknownRoute: 404,
  unknownOrganization: 404,
  unknownSource: 404,
  unknownFilter: 404,
  unknownChat: 404,
  unknownAccount: 404,
  unknownAttached: 404,
  unknownCursor: 400,
  alreadyDeleted: 404,
  invalidLimit: 400,
  invalidQuery: 400,
  invalidWait: 400,
  invalidKey: 400,
  missingKey: 400,
  invalidMessage: 400,
  invalidAttached: 400,
  malformedBody: 400,
  wrongMediaType: 415,
  keyReused: 422,
  conflict: 409,
  failedInside: 500,
} as const satisfies Readonly<Record<RefusalKind, number>>;

const titles: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'Conflict'],
  [415, 'UnsupportedMediaType'],
  [422, 'UnprocessableContent'],
  [429, 'RateLimitExceeded'],
  [500, 'InternalServerError'],
]);

const details = {
  unauthenticated: 'The API key is missing or not valid.',
  denied: 'There is no such resource, or you are not its admin.',
  rateLimited: 'Too many requests. Try again when the window resets.',
  unknownRoute: 'There is no such operation.',
  unknownOrganization: 'There is no such resource, or you are not its admin.',
  unknownSource: 'There is no such data source.',
  unknownFilter: 'There is no such data source.',
  unknownChat: 'There is no such chat.',
  unknownAccount: 'There is no such resource, or you are not its admin.',
  unknownAttached: 'There is no such organization.',
  unknownCursor: 'The cursor names no item of this list.',
  alreadyDeleted: 'There is no such data source.',
  invalidLimit: 'limit is an integer from 1 to 100.',
  invalidQuery: 'A query parameter is given more than once.',
  invalidWait: 'wait is an integer from 1 to 300.',
  invalidKey: 'An idempotency key has at most 255 characters.',
  missingKey: 'An idempotency key is needed.',
  invalidMessage: 'message is a string of 1 to 10000 characters.',
  invalidAttached: 'organizationId is a string.',
  malformedBody: 'The body is not a JSON object.',
  wrongMediaType: 'The body is application/json.',
  keyReused: 'The idempotency key belongs to another message.',
  conflict: 'A response is already generating in this chat.',
  failedInside: 'Something went wrong.',
} as const satisfies Readonly<Record<RefusalKind, string>>;

/** Sections 2.7 and 7. */
export const errorRules = {
  refusalStatus(kind: RefusalKind, _request: Request): number {
    return statuses[kind];
  },
  refusalTitle(_kind: RefusalKind, status: number, _request: Request): Json {
    return titles.get(status) ?? 'Error';
  },
  refusalDetail(kind: RefusalKind, _request: Request): Json {
    return details[kind];
  },
  errorBody(error: JsonObject, _kind: RefusalKind, _request: Request): Json {
    return { error };
  },
  /** Whether the deployment fails before it reads the request. */
  failsInside(_request: Request): boolean {
    return false;
  },
} as const;
