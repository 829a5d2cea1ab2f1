import type { Principal } from '../../core/target.ts';
import type { Api } from '../../engine/api.ts';
import { looksDeleted } from '../../engine/history/deletion-mark.ts';
import type { Item } from '../../core/page.ts';
import { givenLists } from '../lists/lists.ts';
import { declaring } from './declared.ts';

/** A data source that the target file allows the suite to delete, listed at the start of the run, with an admin of it. */
export type Disposable = {
  readonly organizationId: string;
  readonly id: string;
  readonly admin: Principal;
  /** The record in the list when the run first read it. */
  readonly record: unknown;
};

/** The declared data sources that an earlier run has not used up: listed, and not marked as deleted. */
export async function stillListed(api: Api): Promise<readonly Disposable[]> {
  const lists = declaring(api.session).length === 0 ? [] : await givenLists(api, 'listDataSources');
  return lists.flatMap(({ organizationId, admin, walk }) => {
    const organization = api.session.target.organizations.find(({ id }) => id === organizationId);
    const records = walk.items.map(({ record }) => record);
    return (organization?.disposableDataSources ?? []).flatMap((id) => {
      const item = walk.items.find((listed) => listed.id === id);
      return item === undefined || looksDeleted(item.record, records)
        ? []
        : [{ organizationId, id, admin, record: item.record }];
    });
  });
}

/** Whether the list shows the item, and not as deleted. */
export function isListed(items: readonly Item[], isIt: (item: Item) => boolean): boolean {
  const found = items.find(isIt);
  const records = items.map(({ record }) => record);
  return found !== undefined && !looksDeleted(found.record, records);
}

/** A name of the data source in this run. */
export function nameOf({ organizationId, id }: Pick<Disposable, 'organizationId' | 'id'>): string {
  return JSON.stringify([organizationId, id]);
}
