import { type Ask, type Outcome, refusal } from '../http/ask.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { page } from './page.ts';
import { queryValue } from './query-value.ts';

/** Whether the cleanup job has removed a model. */
function cleanedUp(world: World, ask: Ask, organization: Organization, model: Item): boolean {
  const deletedAt = organization.deleted.get(model.sourceId)?.deletedAt;
  if (deletedAt === undefined || world.clock.now() < deletedAt + world.rules.cleanupMs(ask)) return false;
  return world.rules.cleanupRemoves(model, ask);
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

function act(world: World, ask: Ask): Outcome {
  const { rules, state } = world;
  const organization = state.organizations.get(ask.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', ask.ids.organizationId);
  const cursor = queryValue(world, ask, 'cursor');
  const given = queryValue(world, ask, 'databaseConnectionId');
  if (typeof given === 'object') return given;
  const filter = rules.readFilter(given, typeof cursor === 'string' ? cursor : undefined, ask);
  if (filter !== undefined && !rules.filterKnown(whereIs(world, organization, filter), ask)) {
    return refusal('unknownFilter', filter);
  }
  const all = rules.modelsOf(organization.data.models, () => foreignModels(world, organization), ask);
  const kept =
    organization.deleted.size === 0 ? all : all.filter((model) => !cleanedUp(world, ask, organization, model));
  const listed = filter === undefined ? kept : kept.filter((model) => rules.filterMatches(model, filter, ask));
  return page(world, ask, {
    all,
    listed,
    text: (item, place) => {
      const shown = rules.modelShown(item.record, place, ask);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.1. */
export const listModels: OperationModel = {
  denied: (world, ask) => deniedInOrganization(world, ask, world.rules.mayListModels),
  missing: missingOrganization,
  act,
};
