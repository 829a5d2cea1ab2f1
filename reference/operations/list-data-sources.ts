import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import { type Outcome, refusal, type Request } from '../http/request.ts';
import type { Organization } from '../state/state.ts';
import type { World } from '../world.ts';
import { deniedInOrganization, missingOrganization, type OperationModel } from './operation.ts';
import { page } from './page.ts';

/** The record of a data source, marked where it is deleted. */
export function shownSource(world: World, request: Request, item: Item, deletedAt: number | undefined): JsonObject {
  if (deletedAt === undefined) return item.record;
  return world.rules.deletedMark(item.record, world.timestamp(deletedAt), request);
}

function foreignSources(world: World, organization: Organization): readonly Item[] {
  return [...world.state.organizations.values()]
    .filter((other) => other !== organization)
    .flatMap((other) => other.data.sources);
}

function act(world: World, request: Request): Outcome {
  const { rules, hooks, state } = world;
  const organization = state.organizations.get(request.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', request.ids.organizationId);
  const { deleted } = organization;
  const all = hooks.sources(organization.data.sources, request, () => foreignSources(world, organization));
  const stays = (item: Item): boolean => {
    const deletedAt = deleted.get(item.id)?.deletedAt;
    return deletedAt === undefined || rules.deletedListed(item, deletedAt, request);
  };
  const listed = deleted.size === 0 ? all : all.filter(stays);
  return page(world, request, {
    all,
    listed,
    text: (item, place) => {
      const source = shownSource(world, request, item, deleted.get(item.id)?.deletedAt);
      const shown = hooks.sourceShown(source, request, place);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.5. */
export const listDataSources: OperationModel = { denied: deniedInOrganization, missing: missingOrganization, act };
