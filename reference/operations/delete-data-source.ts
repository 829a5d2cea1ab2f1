import { record } from '../state/apply-entry.ts';
import { type Ask, type Outcome, type Refusal, refusal } from '../http/ask.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { shownSource } from './shown-source.ts';

type Found = { readonly organization: Organization; readonly item: Item };

/** The data source, if the path's organization reaches it. */
function find(world: World, ask: Ask): Found | undefined {
  for (const organization of world.state.organizations.values()) {
    if (!world.rules.belongsToPath(organization.data.id, ask.ids.organizationId, ask)) continue;
    const item = organization.data.sources.find((source) => source.id === ask.ids.sourceId);
    if (item !== undefined) return { organization, item };
  }
  return undefined;
}

function missing(world: World, ask: Ask): Refusal | undefined {
  const absent = missingOrganization(world, ask);
  if (absent !== undefined) return absent;
  if (find(world, ask) !== undefined || world.rules.unknownDelete(ask) === 'pretend') return undefined;
  return refusal('unknownSource', ask.ids.sourceId);
}

function mark(world: World, ask: Ask, { organization, item }: Found): void {
  const all = organization.data.sources;
  for (const victim of world.rules.deletes(item, all, ask)) {
    const organizationId = organization.data.id;
    record(world, { kind: 'deletion', at: world.clock.now(), organizationId, sourceId: victim.id });
  }
}

async function act(world: World, ask: Ask): Promise<Outcome> {
  const { rules } = world;
  const found = find(world, ask);
  if (found === undefined) {
    if (rules.unknownDelete(ask) === 'refuse') return refusal('unknownSource', ask.ids.sourceId);
    const pretended = rules.deleteAnswer({ id: ask.ids.sourceId }, ask);
    return { ok: true, status: rules.deleteStatus(ask), text: JSON.stringify(pretended) };
  }
  const again = found.organization.deleted.has(found.item.id);
  if (again && rules.secondDelete(ask) === 'refuse') return refusal('alreadyDeleted', ask.ids.sourceId);
  const pauseMs = rules.deletePauseMs(ask);
  if (pauseMs > 0) await hold(world, ask, pauseMs);
  if (!again) mark(world, ask, found);
  const deletedAt = found.organization.deleted.get(found.item.id)?.deletedAt;
  const record = shownSource(world, ask, found.item, deletedAt);
  const shown = rules.deletedRecord(record, found.organization.data.sources, ask);
  return { ok: true, status: rules.deleteStatus(ask), text: JSON.stringify(rules.deleteAnswer(shown, ask)) };
}

/** Section 4.6. */
export const deleteDataSource: OperationModel = {
  denied: (world, ask) => deniedInOrganization(world, ask, world.rules.mayDeleteSource),
  missing,
  act,
};
