import { type Request, type Outcome, refusal } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { Organization } from '../state/state.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { deniedInOrganization, missingOrganization } from './organization-access.ts';
import { page } from './page.ts';
import { shownSource } from './shown-source.ts';

function foreignSources(world: World, organization: Organization): readonly Item[] {
  return [...world.state.organizations.values()]
    .filter((other) => other !== organization)
    .flatMap((other) => other.data.sources);
}

function act(world: World, request: Request): Outcome {
  const { rules, state } = world;
  const organization = state.organizations.get(request.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', request.ids.organizationId);
  const { deleted } = organization;
  const all = rules.sourcesOf(organization.data.sources, () => foreignSources(world, organization), request);
  const stays = (item: Item): boolean => {
    const deletedAt = deleted.get(item.id)?.deletedAt;
    return deletedAt === undefined || rules.deletedListed(item, deletedAt, request);
  };
  const listed = deleted.size === 0 ? all : all.filter(stays);
  return page(world, request, {
    all,
    listed,
    text: (item, place) => {
      const record = shownSource(world, request, item, deleted.get(item.id)?.deletedAt);
      const shown = rules.sourceShown(record, place, request);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.5. */
export const listDataSources: OperationModel = {
  denied: (world, request) => deniedInOrganization(world, request, world.rules.mayListSources),
  missing: missingOrganization,
  act,
};
