import { stringAt } from '../../core/json.ts';
import type { Item } from '../../core/page.ts';
import type { Api } from '../../engine/api.ts';
import type { Snapshot } from '../lists/snapshot.ts';
import type { Walk } from '../lists/walk.ts';
import { declaring, isDeclared } from './declared.ts';

type Lists = ReadonlyMap<string, Walk>;

/**
 * The lists from before a deletion that are read again right after it: those of organizations with disposable data sources, or all if
 * these show nothing that must stay. The others are read at the end of the run.
 */
export function listsToReadSoon(api: Api, { sources, models }: Snapshot): Snapshot {
  const near = new Set(declaring(api.session).map(({ id }) => id));
  function chosen(lists: Lists, sourceOf: (item: Item) => string | undefined): Lists {
    const own = new Map([...lists].filter(([id]) => near.has(id)));
    const hasOthers = [...own].some(([id, { items }]) =>
      items.some((item) => !isDeclared(api, id, sourceOf(item) ?? '')),
    );
    return hasOthers ? own : lists;
  }
  return {
    sources: chosen(sources, ({ id }) => id),
    models: chosen(models, ({ record }) => stringAt(record, 'databaseConnectionId')),
  };
}
