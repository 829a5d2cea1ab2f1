import { type Operation, operations } from '../spec/requirement.ts';
import { queryParameters, routes } from '../spec/routes.ts';
import type { Exchange } from './exchange.ts';
import { jsonIn } from './json.ts';

/** Which of the six operations a request asks for, and about what. IDs are percent-decoded. */
export type RouteMatch = {
  readonly operation: Operation;
  /** The organization, or the billing account. */
  readonly ownerId: string;
  /** The chat or the data source, where the path names one. */
  readonly id: string;
  /** Every value of each parameter that the specification knows. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Whether it has parameters that the specification does not know: the answer to those is open. */
  readonly hasOthers: boolean;
};

const patterns = operations.map((operation) => ({
  operation,
  method: routes[operation].method,
  pattern: new RegExp(`^${routes[operation].path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

/** No operation has a longer path. */
const maxPathLength = 16_384;

/** Undefined if it is not one of the six operations. `target` is what follows the base URL. */
export function routeOf(method: string, target: string): RouteMatch | undefined {
  if (target.length > maxPathLength) return undefined;
  const [withQuery = ''] = target.split('#', 1);
  const at = withQuery.indexOf('?');
  const path = at < 0 ? withQuery : withQuery.slice(0, at);
  for (const { operation, method: own, pattern } of patterns) {
    const match = own === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const [ownerId, id] = [decoded(match[1] ?? ''), decoded(match[2] ?? '')];
    if (ownerId === undefined || id === undefined) return undefined;
    return { operation, ownerId, id, ...queryOf(at < 0 ? '' : withQuery.slice(at + 1)) };
  }
  return undefined;
}

const noQuery: Pick<RouteMatch, 'query' | 'hasOthers'> = { query: new Map(), hasOthers: false };

function queryOf(text: string): Pick<RouteMatch, 'query' | 'hasOthers'> {
  if (text === '') return noQuery;
  const query = new Map<string, string[]>();
  let hasOthers = false;
  for (const [name, value] of new URLSearchParams(text)) {
    const values = query.get(name);
    if (values !== undefined) values.push(value);
    else if (queryParameters.some((known) => known === name)) query.set(name, [value]);
    else hasOthers = true;
  }
  return { query, hasOthers };
}

/** One exchange is judged by many promises, one after the other. */
let latest: { readonly exchange: Exchange; readonly route: RouteMatch | undefined } | undefined;

/** What the path and the query of a request ask for. */
export function askedOf(exchange: Exchange): RouteMatch | undefined {
  if (latest?.exchange !== exchange) {
    latest = { exchange, route: routeOf(exchange.request.method, exchange.request.path) };
  }
  return latest.route;
}

/** The parsed body of a request; undefined if there is none, it was not kept, or it is not JSON. */
export function askedBody({ request: { body } }: Pick<Exchange, 'request'>): unknown {
  return typeof body === 'string' ? jsonIn(body) : undefined;
}

/** A part of a URL, percent-decoded; undefined if it is not percent-encoded correctly, as in recorded traffic. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
