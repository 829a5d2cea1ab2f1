import { hash } from '../../../core/hash.ts';
import { isFiltered, type Request } from '../../http/request.ts';
import { undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** How long the shared cache keeps a page, in milliseconds. */
const keptMs = 500;

/** Shows a page of data sources to each caller as it was when `pages` got it; the names begin with the caller's. */
function asFirstShown(pages: Map<string, string>) {
  return (text: string, request: Request, status: number): string => {
    if (!on('listDataSources')(request) || status !== 200) return text;
    const name = JSON.stringify([request.caller?.name, request.path, ...request.query]);
    const known = pages.get(name) ?? text;
    pages.set(name, known);
    return known;
  };
}

/** Pages that are kept although something was deleted. */
export const keptPageFaults = faultsOf({
  'delete.models-removed': {
    'filtered-pages-kept-for-a-minute': {
      sentence: 'A filtered page is cached for a minute, and a deletion removes only other pages from the cache.',
      alter: () => {
        const pages = new Map<string, { readonly at: number; readonly text: string }>();
        const nameOf = ({ caller, path, query }: Request) => JSON.stringify([caller?.name, path, ...query]);
        const keptOf = (request: Request) => {
          const page = pages.get(nameOf(request));
          return page !== undefined && request.at < page.at + 60_000 ? page : undefined;
        };
        return {
          status: (status, request) => (keptOf(request) === undefined ? status : 200),
          bodyText: (text, request, status) => {
            const kept = keptOf(request);
            if (kept !== undefined) return kept.text;
            if (isFiltered(request) && status === 200) pages.set(nameOf(request), { at: request.at, text });
            return text;
          },
        };
      },
    },
  },
  'delete.gone-or-marked': {
    'other-admins-see-the-deleted': {
      sentence:
        'Only the admin who listed an organization first sees that a data source is deleted; others do so while they share the cached page.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: (rules) => {
        const pages = new Map<string, { readonly at: number; readonly text: string }>();
        const firsts = new Map<string, string>();
        return {
          sources(items, { ids, caller }) {
            if (!firsts.has(ids.organizationId)) firsts.set(ids.organizationId, caller?.name ?? '');
            return items;
          },
          onDeleted: () => pages.clear(),
          ...undeleted((_id, { caller, ids }) => caller?.name !== firsts.get(ids.organizationId))(rules),
          bodyText: (text, request, status) => {
            if (!on('listDataSources')(request) || status !== 200) return text;
            const key = JSON.stringify([request.path, ...request.query]);
            const known = pages.get(key);
            if (known !== undefined && request.at < known.at + keptMs) return known.text;
            pages.set(key, { at: request.at, text });
            return text;
          },
        };
      },
    },
    'idle-callers-see-the-deleted': {
      sentence:
        'Who sent nothing for three and a half seconds is first shown an old list, with the deleted data sources.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: (rules) => {
        const usedAt = new Map<string, number>();
        let idleTurn = 0;
        return {
          received(request) {
            const caller = request.headers['authorization'] ?? '';
            const idleMs = request.at - (usedAt.get(caller) ?? request.at);
            if (on('listDataSources')(request) && idleMs > 3500) idleTurn = request.turn;
            usedAt.set(caller, request.at);
            return request;
          },
          ...undeleted((_id, { turn }) => turn === idleTurn)(rules),
        };
      },
    },
    'later-deletions-clear-own-pages': {
      sentence:
        'The first deletion clears the cache of lists; later ones clear only the pages that their caller has read.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        const pages = new Map<string, string>();
        let isFirst = true;
        return {
          onDeleted(_item, { caller }) {
            for (const name of pages.keys()) if (isFirst || name.startsWith(`["${caller?.name}"`)) pages.delete(name);
            isFirst = false;
          },
          bodyText: asFirstShown(pages),
        };
      },
    },
    'entity-tag-of-the-path': {
      sentence: 'The entity tag of a list is computed from its URL, so a client that asks again is sent 304 for good.',
      alter: (rules) => {
        const tagOf = ({ path, query }: Request): string =>
          JSON.stringify(hash(JSON.stringify([path, ...query])).toString(36));
        const isKnown = (request: Request): boolean => request.headers['if-none-match'] === tagOf(request);
        return {
          headers: (status, request) => ({
            ...rules.headers(status, request),
            ...(on('listDataSources')(request) && status < 400 ? { etag: tagOf(request) } : {}),
          }),
          status: (status, request) => (status === 200 && isKnown(request) ? 304 : status),
          bodyText: (text, _request, status) => (status === 304 ? '' : text),
        };
      },
    },
    'plain-page-kept': {
      sentence:
        'The page without any parameter is rendered once, when it is first read, and a deletion does not renew it.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        const kept = asFirstShown(new Map());
        return { bodyText: (text, request, status) => (request.query.size > 0 ? text : kept(text, request, status)) };
      },
    },
  },
});
