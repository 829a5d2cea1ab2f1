import type { Item } from '../data/item.ts';
import { type Outcome, type Refusal, refusal, type Request } from '../http/request.ts';
import { record } from '../state/apply-entry.ts';
import type { Organization } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { shownSource } from './list-data-sources.ts';
import { deniedInOrganization, missingOrganization, type OperationModel } from './operation.ts';

type Found = { readonly organization: Organization; readonly item: Item };

/** The data source, if the path's organization reaches it. */
function find(world: World, request: Request): Found | undefined {
  for (const organization of world.state.organizations.values()) {
    if (!world.rules.belongsToPath(organization.data.id, request.ids.organizationId, request)) continue;
    const { sources } = organization.data;
    const ids = (): readonly string[] => sources.map(({ id }) => id);
    const wanted = world.hooks.sourceId(request.ids.sourceId, request, ids);
    const item = sources.find((source) => source.id === wanted);
    if (item !== undefined) return { organization, item };
  }
  return undefined;
}

function missing(world: World, request: Request): Refusal | undefined {
  const absent = missingOrganization(world, request);
  if (absent !== undefined) return absent;
  return find(world, request) === undefined ? refusal('unknownSource', request.ids.sourceId) : undefined;
}

function mark(world: World, request: Request, { organization, item }: Found): void {
  world.hooks.onDeleted(item, request);
  for (const { id } of world.hooks.deletes([item], request, organization.data.sources)) {
    const organizationId = organization.data.id;
    record(world, { kind: 'deletion', at: world.clock.now(), organizationId, sourceId: id });
  }
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules, hooks } = world;
  const found = find(world, request);
  if (found === undefined) return refusal('unknownSource', request.ids.sourceId);
  const { organization, item } = found;
  const again = organization.deleted.has(item.id);
  if (again && rules.secondDelete(request) === 'refuse') return refusal('alreadyDeleted', request.ids.sourceId);
  const pauseMs = hooks.pauseMs(0, request);
  if (pauseMs > 0) await hold(world, request, pauseMs);
  if (!again) mark(world, request, found);
  const shown = shownSource(world, request, item, organization.deleted.get(item.id)?.deletedAt);
  const answer = rules.deleteAnswer(hooks.deletedRecord(shown, request, organization.data.sources), request);
  return { ok: true, status: rules.deleteStatus(request), text: JSON.stringify(answer) };
}

/** Section 4.6. */
export const deleteDataSource: OperationModel = { denied: deniedInOrganization, missing, act };
