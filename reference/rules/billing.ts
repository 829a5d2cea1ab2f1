import type { Request, RefusalKind } from '../http/request.ts';
import type { Json, JsonObject } from '../http/json.ts';

/** Sections 2.6, 4.3 and 4.4. */
export const billingRules = {
  accountShown(record: JsonObject, _request: Request): JsonObject {
    return record;
  },
  accountAnswer(record: JsonObject, _request: Request): JsonObject {
    return { data: record };
  },
  accountStatus(_request: Request): number {
    return 200;
  },
  /** The account that an ID names, given the IDs of all. */
  accountNamed(id: string, _all: readonly string[], _request: Request): string {
    return id;
  },
  /** Organizations that the account bills, given every accepted attachment in order; the owner is one of them. */
  organizationCount(owner: string, attachments: readonly string[], _request: Request): number {
    return new Set([owner, ...attachments]).size;
  },
  attachedField(body: JsonObject, _request: Request): Json | undefined {
    return body['organizationId'];
  },
  /** What stands for an organizationId that is no string; undefined refuses it. */
  attachedInstead(_value: Json | undefined, _request: Request): string | undefined {
    return undefined;
  },
  /** Whether that organization can be attached. */
  attachable(exists: boolean, _request: Request): boolean {
    return exists;
  },
  /** Milliseconds between looking at an account and attaching to it; asked once the look is taken. */
  attachPauseMs(_request: Request): number {
    return 0;
  },
  /** Whether an accepted attachment takes effect. */
  attachmentCounts(_organizationId: string, _before: readonly string[], _request: Request): boolean {
    return true;
  },
  /** Whether an attachment that was refused for that reason counts all the same. */
  countsRefused(_kind: RefusalKind, _request: Request): boolean {
    return false;
  },
  /** Whether attaching again is refused. */
  attachAgain(_request: Request): 'accept' | 'refuse' {
    return 'accept';
  },
  attachStatus(_again: boolean, _request: Request): number {
    return 200;
  },
  /** The body of a successful attach; undefined sends none. */
  attachAnswer(account: JsonObject, _organizationId: string, _request: Request): JsonObject | undefined {
    return { data: account };
  },
} as const;
