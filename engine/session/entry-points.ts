import type { HttpRequest } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';

/**
 * The entry point of the next request, as its base URL; undefined if the target has only one. Successive requests about one
 * thing go to different entry points: a list is read at another one than the deletion before it went to, two messages to a
 * chat meet different ones, and a key is repeated at another one than it was sent to.
 */
export type EntryPoints = (request: Pick<HttpRequest, 'method' | 'path'>, key?: string) => string | undefined;

export function createEntryPoints({ baseUrls }: Target, seed: number): EntryPoints {
  if (baseUrls === undefined) return () => undefined;
  const turns = new Map<string, number>();

  function take(thing: string): number {
    const turn = turns.get(thing) ?? seed;
    turns.set(thing, turn + 1);
    return turn;
  }

  return (request, key) => {
    const ofKey = `key ${key}`;
    const isRepeated = key !== undefined && turns.has(ofKey);
    const turn = take(isRepeated ? ofKey : thingOf(request));
    if (key !== undefined && !isRepeated) turns.set(ofKey, turn + 1);
    return baseUrls[turn % baseUrls.length];
  };
}

/** The list, account or chat that a request reads or changes. */
function thingOf({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string {
  const [place = ''] = path.split('?', 1);
  if (method === 'DELETE') return place.slice(0, place.lastIndexOf('/'));
  return place.replace(/^(.*\/billing-accounts\/[^/]*)\/organizations$/, '$1');
}
