import type { Api } from '../../engine/api.ts';
import { at, stringAt } from '../../core/json.ts';
import type { Item } from '../../core/page.ts';
import { givenLists } from '../lists/lists.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { isDeclared } from './declared.ts';
import { type Disposable, nameOf } from './still-listed.ts';

/** Recognizes the data sources to whose models those over another data source have relationships, one that no run deletes. */
export async function targetsIn(api: Api): Promise<(disposable: Disposable) => boolean> {
  const targets = new Set<string>();
  for (const { organizationId, walk } of (await unlessBlocked(() => givenLists(api, 'listModels'))) ?? []) {
    const sourceOf = new Map(walk.items.map((item) => [item.id, sourceIdOf(item)]));
    const kept = walk.items.filter((item) => !isDeclared(api, organizationId, sourceIdOf(item)));
    for (const targetId of kept.flatMap(targetsOf)) {
      const id = sourceOf.get(targetId);
      if (id !== undefined) targets.add(nameOf({ organizationId, id }));
    }
  }
  return (one) => targets.has(nameOf(one));
}

function sourceIdOf({ record }: Item): string {
  return stringAt(record, 'databaseConnectionId') ?? '';
}

function targetsOf({ record }: Item): readonly string[] {
  const relationships = at(record, 'relationships');
  return Array.isArray(relationships) ? relationships.map((one) => stringAt(one, 'targetModelId') ?? '') : [];
}
