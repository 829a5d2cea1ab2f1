import type { Exchange } from '../../core/exchange.ts';
import type { HttpRequest } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';

/**
 * The entry point of the next request, as its base URL; undefined if the target has only one. Successive requests about one
 * thing go to different entry points: a list is read at another one than the deletion before it went to, two messages to a
 * chat meet different ones, and a key is repeated at another one than it was sent to. What a check tries again begins where
 * `again` says.
 */
export type EntryPoints = (request: Place, key?: string, again?: Again) => string | undefined;

type Place = Pick<HttpRequest, 'method' | 'path'>;

/** Where the next requests about things begin. */
export type Again = {
  /** Base URLs for each kind of thing, in the order of the things. */
  readonly left: ReadonlyMap<string, string[]>;
  /** Where each thing begins, or undefined. */
  readonly begun: Map<string, string | undefined>;
};

/**
 * A check that is tried again must meet the entry points of its violation, although it may use other chats: the first thing
 * of each kind begins where the first such thing of the `evidence` did, and so on.
 */
export function beginningAt(evidence: readonly Exchange[]): Again {
  const seen = new Set<string>();
  const left = new Map<string, string[]>();
  for (const { request } of evidence) {
    const thing = thingOf(request);
    if (request.baseUrl === undefined || seen.has(thing)) continue;
    seen.add(thing);
    left.set(kindOf(thing), [...(left.get(kindOf(thing)) ?? []), request.baseUrl]);
  }
  return { left, begun: new Map() };
}

/** An answer other than 409 to a request about a thing: the next one goes to the next entry point. Until then, its chat was busy. */
export function goOn({ begun }: Again, request: Place): void {
  begun.set(thingOf(request), undefined);
}

export function createEntryPoints({ baseUrls }: Target, seed: number): EntryPoints {
  if (baseUrls === undefined) return () => undefined;
  const turns = new Map<string, number>();

  function take(thing: string): number {
    const turn = turns.get(thing) ?? seed;
    turns.set(thing, turn + 1);
    return turn;
  }

  function beginAgain(thing: string, { begun, left }: Again): void {
    if (!begun.has(thing)) begun.set(thing, left.get(kindOf(thing))?.shift());
    const place = baseUrls?.indexOf(begun.get(thing) ?? '') ?? -1;
    if (place >= 0) turns.set(thing, place);
  }

  return (request, key, again) => {
    const ofKey = `key ${key}`;
    const isRepeated = key !== undefined && turns.has(ofKey);
    if (again !== undefined && !isRepeated) beginAgain(thingOf(request), again);
    const turn = take(isRepeated ? ofKey : thingOf(request));
    if (key !== undefined && !isRepeated) turns.set(ofKey, turn + 1);
    return baseUrls[turn % baseUrls.length];
  };
}

/** The list, account or chat that a request reads or changes. */
function thingOf({ method, path }: Place): string {
  const [place = ''] = path.split('?', 1);
  if (method === 'DELETE') return place.slice(0, place.lastIndexOf('/'));
  return place.replace(/^(.*\/billing-accounts\/[^/]*)\/organizations$/, '$1');
}

function kindOf(thing: string): string {
  return /\/(?:models|data-sources|messages)$/.exec(thing)?.[0] ?? 'account';
}
