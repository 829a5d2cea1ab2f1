import { decoded } from '../core/decoded.ts';
import type { HttpRequest } from '../core/http.ts';
import type { Operation } from '../spec/requirement.ts';

/** Which of the six operations a request asks for, and about what. IDs are percent-decoded. */
export type Route = {
  readonly operation: Operation;
  readonly method: HttpRequest['method'];
  /** Relative to the base URL, with the parameters that the specification knows and no other: they may be secret. */
  readonly path: string;
  /** The organization, or the billing account. */
  readonly ownerId: string;
  /** The chat or the data source, where the path names one. */
  readonly id: string;
  /** Every value of each parameter that the specification knows. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Whether it has parameters that the specification does not know: what is answered to those is open. */
  readonly hasOthers: boolean;
};

const segment = '([^/]+)';

const routes = [
  ['listModels', 'GET', `organizations/${segment}/models`],
  ['listDataSources', 'GET', `organizations/${segment}/data-sources`],
  ['deleteDataSource', 'DELETE', `organizations/${segment}/data-sources/${segment}`],
  ['sendMessage', 'POST', `organizations/${segment}/chats/${segment}/messages`],
  ['getBillingAccount', 'GET', `billing-accounts/${segment}`],
  ['attachOrganization', 'POST', `billing-accounts/${segment}/organizations`],
] as const;

const patterns = routes.map(([operation, method, path]) => ({
  operation,
  method,
  pattern: new RegExp(`^/api/public/${path}$`),
}));

const known: readonly string[] = ['limit', 'cursor', 'databaseConnectionId', 'wait'];

/** A longer path is nobody's. */
const maxPathLength = 16_384;

/** Undefined for everything that is none of the six operations. `target` is what follows the base URL. */
export function routeOf(method: string, target: string): Route | undefined {
  if (target.length > maxPathLength) return undefined;
  const [withQuery = ''] = target.split('#', 1);
  const at = withQuery.indexOf('?');
  const path = at < 0 ? withQuery : withQuery.slice(0, at);
  const parameters = new URLSearchParams(at < 0 ? '' : withQuery.slice(at + 1));
  for (const route of patterns) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const [ownerId, id] = [decoded(match[1] ?? ''), decoded(match[2] ?? '')];
    if (ownerId === undefined || id === undefined) return undefined;
    const query = new Map(
      known.map((name) => [name, parameters.getAll(name)] as const).filter(([, all]) => all.length > 0),
    );
    const shown = new URLSearchParams(
      [...query].flatMap(([name, all]) => all.map((value): [string, string] => [name, value])),
    );
    const search = shown.size === 0 ? '' : `?${shown.toString()}`;
    const hasOthers = [...parameters.keys()].some((name) => !query.has(name));
    const { operation } = route;
    return { operation, method: route.method, path: `${path}${search}`, ownerId, id, query, hasOthers };
  }
  return undefined;
}

/** The base URL of a request that looks like one of the API's, without a user's name or password. */
export function baseOf(url: string): string | undefined {
  const at = url.indexOf('/api/public/');
  if (at < 0 || !/^\/api\/public\/(?:organizations|billing-accounts)\/[^/?#]/.test(url.slice(at))) return undefined;
  return normalBase(url.slice(0, at));
}

/** A base URL in one form, so that two can be compared; undefined where it is none. */
export function normalBase(base: string): string | undefined {
  if (!URL.canParse(base)) return undefined;
  const { protocol, origin, pathname } = new URL(base);
  return protocol === 'http:' || protocol === 'https:' ? `${origin}${pathname.replace(/\/+$/, '')}` : undefined;
}

/** What follows the base URL; undefined for a URL elsewhere. */
export function targetAt(base: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  // As it was recorded: parsing would take dots out of a path.
  const rest = /^[^:]+:\/\/[^/?#]*(.*)$/s.exec(url)?.[1] ?? '';
  const path = base.slice(new URL(base).origin.length);
  if (origin !== new URL(base).origin || !rest.startsWith(`${path}/`)) return undefined;
  return rest.slice(path.length);
}
