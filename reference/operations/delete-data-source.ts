import { record } from '../state/apply-entry.ts';
import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { shownSource } from './shown-source.ts';

type Found = { readonly organization: Organization; readonly item: Item };

/** The data source, if the path's organization reaches it. */
function find(world: World, request: Request): Found | undefined {
  for (const organization of world.state.organizations.values()) {
    if (!world.rules.belongsToPath(organization.data.id, request.ids.organizationId, request)) continue;
    const item = organization.data.sources.find((source) => source.id === request.ids.sourceId);
    if (item !== undefined) return { organization, item };
  }
  return undefined;
}

function missing(world: World, request: Request): Refusal | undefined {
  const absent = missingOrganization(world, request);
  if (absent !== undefined) return absent;
  if (find(world, request) !== undefined || world.rules.unknownDelete(request) === 'pretend') return undefined;
  return refusal('unknownSource', request.ids.sourceId);
}

function mark(world: World, request: Request, { organization, item }: Found): void {
  const all = organization.data.sources;
  for (const victim of world.rules.deletes(item, all, request)) {
    const organizationId = organization.data.id;
    record(world, { kind: 'deletion', at: world.clock.now(), organizationId, sourceId: victim.id });
  }
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules } = world;
  const found = find(world, request);
  if (found === undefined) {
    if (rules.unknownDelete(request) === 'refuse') return refusal('unknownSource', request.ids.sourceId);
    const pretended = rules.deleteAnswer({ id: request.ids.sourceId }, request);
    return { ok: true, status: rules.deleteStatus(request), text: JSON.stringify(pretended) };
  }
  const again = found.organization.deleted.has(found.item.id);
  if (again && rules.secondDelete(request) === 'refuse') return refusal('alreadyDeleted', request.ids.sourceId);
  const pauseMs = rules.deletePauseMs(request);
  if (pauseMs > 0) await hold(world, request, pauseMs);
  if (!again) mark(world, request, found);
  const deletedAt = found.organization.deleted.get(found.item.id)?.deletedAt;
  const record = shownSource(world, request, found.item, deletedAt);
  const shown = rules.deletedRecord(record, found.organization.data.sources, request);
  return { ok: true, status: rules.deleteStatus(request), text: JSON.stringify(rules.deleteAnswer(shown, request)) };
}

/** Section 4.6. */
export const deleteDataSource: OperationModel = {
  denied: (world, request) => deniedInOrganization(world, request, world.rules.mayDeleteSource),
  missing,
  act,
};
