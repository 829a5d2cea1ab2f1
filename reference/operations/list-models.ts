import { type Request, type Outcome, refusal } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import type { Whereabouts } from '../rules/models.ts';
import type { World } from '../world.ts';
import { deniedInOrganization, missingOrganization, type OperationModel } from './operation.ts';
import { page } from './page.ts';
import { queryValue } from './request-parts.ts';

/** Whether the cleanup job has removed a model. */
function cleanedUp(world: World, request: Request, organization: Organization, model: Item): boolean {
  const deletedAt = organization.deleted.get(model.sourceId)?.deletedAt;
  if (deletedAt === undefined || world.clock.now() < deletedAt + world.rules.cleanupMs(request)) return false;
  return world.rules.cleanupRemoves(model, request);
}

function whereIs(world: World, organization: Organization, sourceId: string): Whereabouts {
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
  const { rules, hooks, state } = world;
  const organization = state.organizations.get(request.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', request.ids.organizationId);
  const given = queryValue(world, request, 'databaseConnectionId');
  if (typeof given === 'object') return given;
  const filter = hooks.filter(given, request);
  if (filter !== undefined && !rules.filterKnown(whereIs(world, organization, filter), request)) {
    return refusal('unknownFilter', filter);
  }
  const all = hooks.models(organization.data.models, request, () => foreignModels(world, organization));
  const kept =
    organization.deleted.size === 0 ? all : all.filter((model) => !cleanedUp(world, request, organization, model));
  const listed = filter === undefined ? kept : kept.filter((model) => rules.filterMatches(model, filter, request));
  return page(world, request, {
    all,
    listed,
    text: (item, place) => {
      const shown = hooks.modelShown(item.record, request, place);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.1. */
export const listModels: OperationModel = { denied: deniedInOrganization, missing: missingOrganization, act };
