import { decoded } from '../../core/route.ts';
import type { HttpRequest } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Request, PathIds } from './request.ts';

type Route = {
  readonly operation: Operation;
  readonly method: HttpRequest['method'];
  /** The parts of the path after /api/public. */
  readonly parts: readonly (string | { readonly id: keyof PathIds })[];
};

const organization = ['organizations', { id: 'organizationId' }] as const;
const account = ['billing-accounts', { id: 'accountId' }] as const;

const routes: readonly Route[] = [
  { operation: 'listModels', method: 'GET', parts: [...organization, 'models'] },
  { operation: 'listDataSources', method: 'GET', parts: [...organization, 'data-sources'] },
  { operation: 'deleteDataSource', method: 'DELETE', parts: [...organization, 'data-sources', { id: 'sourceId' }] },
  { operation: 'sendMessage', method: 'POST', parts: [...organization, 'chats', { id: 'chatId' }, 'messages'] },
  { operation: 'getBillingAccount', method: 'GET', parts: account },
  { operation: 'attachOrganization', method: 'POST', parts: [...account, 'organizations'] },
];

const noIds: PathIds = { organizationId: '', sourceId: '', chatId: '', accountId: '' };
const noQuery: ReadonlyMap<string, readonly string[]> = new Map();
const decoder = new TextDecoder();

function match(route: Route, method: string, parts: readonly string[]): PathIds | undefined {
  if (route.method !== method || route.parts.length !== parts.length) return undefined;
  const ids = { ...noIds };
  for (const [index, wanted] of route.parts.entries()) {
    const part = parts[index] ?? '';
    if (typeof wanted === 'string') {
      if (part !== wanted) return undefined;
      continue;
    }
    const id = decoded(part);
    if (id === undefined || id === '') return undefined;
    ids[wanted.id] = id;
  }
  return ids;
}

function readQuery(text: string): ReadonlyMap<string, readonly string[]> {
  if (text === '') return noQuery;
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** Takes a request apart: its operation, the IDs of its path, its query. Reads no state. */
export function readRequest(sent: HttpRequest, turn: number, node: number, at: number): Request {
  const mark = sent.path.indexOf('?');
  const path = mark < 0 ? sent.path : sent.path.slice(0, mark);
  const parts = path.split('/');
  const known = parts[0] === '' && parts[1] === 'api' && parts[2] === 'public';
  let operation: Operation | undefined;
  let ids = noIds;
  const below = parts.slice(3);
  for (const route of known ? routes : []) {
    const found = match(route, sent.method, below);
    if (found === undefined) continue;
    operation = route.operation;
    ids = found;
    break;
  }
  const { body } = sent;
  const search = mark < 0 ? '' : sent.path.slice(mark + 1);
  return {
    turn,
    node,
    at,
    timeoutMs: sent.timeoutMs,
    left: sent.left,
    method: sent.method,
    path,
    operation,
    ids,
    query: readQuery(search),
    search,
    headers: sent.headers,
    headerNames: sent.headerNames,
    chunks: sent.chunks ?? 0,
    body: body === undefined ? '' : typeof body === 'string' ? body : decoder.decode(body),
    caller: undefined,
  };
}
