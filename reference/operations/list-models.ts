import { type Request, type Outcome, refusal } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { page } from './page.ts';
import { queryValue } from './query-value.ts';

/** Whether the cleanup job has removed a model. */
function cleanedUp(world: World, request: Request, organization: Organization, model: Item): boolean {
  const deletedAt = organization.deleted.get(model.sourceId)?.deletedAt;
  if (deletedAt === undefined || world.clock.now() < deletedAt + world.rules.cleanupMs(request)) return false;
  return world.rules.cleanupRemoves(model, request);
}

function whereIs(
  world: World,
  organization: Organization,
  sourceId: string,
): 'here' | 'unused' | 'deleted' | 'elsewhere' | 'nowhere' {
  if (organization.deleted.has(sourceId)) return 'deleted';
  if (organization.data.sources.some((source) => source.id === sourceId)) {
    return organization.data.models.some((model) => model.sourceId === sourceId) ? 'here' : 'unused';
  }
  for (const other of world.state.organizations.values()) {
    if (other.data.sources.some((source) => source.id === sourceId)) return 'elsewhere';
  }
  return 'nowhere';
}

function foreignModels(world: World, organization: Organization): readonly Item[] {
  return [...world.state.organizations.values()]
    .filter((other) => other !== organization)
    .flatMap((other) => other.data.models);
}

function act(world: World, request: Request): Outcome {
  const { rules, state } = world;
  const organization = state.organizations.get(request.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', request.ids.organizationId);
  const cursor = queryValue(world, request, 'cursor');
  const given = queryValue(world, request, 'databaseConnectionId');
  if (typeof given === 'object') return given;
  const filter = rules.readFilter(given, typeof cursor === 'string' ? cursor : undefined, request);
  if (filter !== undefined && !rules.filterKnown(whereIs(world, organization, filter), request)) {
    return refusal('unknownFilter', filter);
  }
  const all = rules.modelsOf(organization.data.models, () => foreignModels(world, organization), request);
  const kept =
    organization.deleted.size === 0 ? all : all.filter((model) => !cleanedUp(world, request, organization, model));
  const listed = filter === undefined ? kept : kept.filter((model) => rules.filterMatches(model, filter, request));
  return page(world, request, {
    all,
    listed,
    text: (item, place) => {
      const shown = rules.modelShown(item.record, place, request);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.1. */
export const listModels: OperationModel = {
  denied: (world, request) => deniedInOrganization(world, request, world.rules.mayListModels),
  missing: missingOrganization,
  act,
};
