import type { JsonObject } from '../http/json.ts';
import type { Request } from '../http/request.ts';

/** Sections 2.6, 4.3 and 4.4. */
export const billingRules = {
  accountAnswer(record: JsonObject, _request: Request): JsonObject {
    return { data: record };
  },
  /** How many organizations the account bills, given all accepted attachments in order. The owner is one of them. */
  organizationCount(owner: string, attachments: readonly string[], _request: Request): number {
    return new Set([owner, ...attachments]).size;
  },
  /** What attaching an organization again does. */
  attachAgain(_request: Request): 'accept' | 'refuse' {
    return 'accept';
  },
  attachStatus(_again: boolean, _request: Request): number {
    return 200;
  },
  /** The body of a successful attachment; undefined sends none. */
  attachAnswer(account: JsonObject, _organizationId: string, _request: Request): JsonObject | undefined {
    return { data: account };
  },
} as const;
