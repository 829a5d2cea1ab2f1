import { as } from '../../engine/api.ts';
import { candidateKeyHeaders } from '../../core/headers/key-headers.ts';
import type { HttpRequest } from '../../core/http.ts';
import { paths } from '../../core/paths.ts';
import type { Attachable } from '../../core/attachables.ts';
import type { Principal, Target } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { routes } from '../../spec/routes.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { OpenChat } from './chat-turns.ts';

/** A request that is ready to be sent. */
export type LoadRequest = {
  readonly operation: Operation;
  /** The principal's name. */
  readonly caller: string;
  readonly request: HttpRequest;
  /** True for requests that are the same object every time: an answer can be compared with the previous one. */
  readonly repeats: boolean;
  readonly sure?: Sure | undefined;
  /** What it belongs to in a flow, by name: its step, and the whole of it. */
  readonly stepNames?: readonly string[];
};

/**
 * What a load knows of a request, although the request does not show it: the page before gave its cursor, or no other request
 * has its idempotency key.
 */
export type Sure = 'next page' | 'new key';

/** A request in the place of a plan. */
export type PlannedRequest = {
  readonly kind: 'request';
  readonly request: LoadRequest;
  /** To be called once, when the request is over, or is dropped without being sent. */
  readonly done: (outcome: Outcome | 'unsent', body?: readonly Uint8Array[]) => void;
};

export function listRequest(
  operation: 'listModels' | 'listDataSources',
  principal: Principal,
  organizationId: string,
  limit: number | undefined,
  timeoutMs: number,
  more: Readonly<Record<string, string>> = {},
): LoadRequest {
  const query = { ...(limit === undefined ? {} : { limit }), ...more };
  const path =
    operation === 'listModels' ? paths.models(organizationId, query) : paths.dataSources(organizationId, query);
  return reading(operation, principal, path, timeoutMs);
}

export function billingRequest(principal: Principal, id: string, timeoutMs: number): LoadRequest {
  return reading('getBillingAccount', principal, paths.billingAccount(id), timeoutMs);
}

/** Uses up the organization. */
export function attachmentRequest(
  { billingAccountId, organizationId, admin }: Attachable,
  timeoutMs: number,
): LoadRequest {
  return {
    operation: 'attachOrganization',
    caller: admin.name,
    request: {
      method: 'POST',
      path: paths.attachments(billingAccountId),
      headers: { ...commonHeaders(admin), 'content-type': 'application/json' },
      body: JSON.stringify({ organizationId }),
      timeoutMs,
    },
    repeats: false,
  };
}

export type Message = {
  readonly text: string;
  readonly key: string;
  readonly waitSeconds: number | undefined;
  readonly timeoutMs: number;
};

/** The timeout is extended by the wait. */
export function messageRequest(target: Target, chat: OpenChat, message: Message): LoadRequest {
  const { organizationId, chatId, admin } = chat;
  const { text, key, waitSeconds, timeoutMs } = message;
  const names = target.idempotencyHeader === undefined ? candidateKeyHeaders : [target.idempotencyHeader];
  return {
    operation: 'sendMessage',
    caller: admin.name,
    request: {
      method: 'POST',
      path: paths.messages(organizationId, chatId, waitSeconds === undefined ? {} : { wait: waitSeconds }),
      headers: {
        ...commonHeaders(admin),
        'content-type': 'application/json',
        ...Object.fromEntries(names.map((name) => [name, key])),
      },
      body: JSON.stringify({ message: text }),
      timeoutMs: timeoutMs + (waitSeconds ?? 0) * 1000,
    },
    repeats: false,
  };
}

function reading(operation: Operation, principal: Principal, path: string, timeoutMs: number): LoadRequest {
  return { ...requestWithoutBody(operation, principal, path, timeoutMs), repeats: true };
}

export function requestWithoutBody(
  operation: Operation,
  principal: Principal,
  path: string,
  timeoutMs: number,
): LoadRequest {
  const request = { method: routes[operation].method, path, headers: commonHeaders(principal), timeoutMs };
  return { operation, caller: principal.name, request, repeats: false };
}

function commonHeaders(principal: Principal): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'user-agent': 'analytics-workspace-conformance',
    authorization: as(principal).authorization ?? '',
    ...principal.headers,
  };
}
