import { type Ask, type Outcome, refusal } from '../http/ask.ts';
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

function act(world: World, ask: Ask): Outcome {
  const { rules, state } = world;
  const organization = state.organizations.get(ask.ids.organizationId);
  if (organization === undefined) return refusal('unknownOrganization', ask.ids.organizationId);
  const { deleted } = organization;
  const all = rules.sourcesOf(organization.data.sources, () => foreignSources(world, organization), ask);
  const stays = (item: Item): boolean => {
    const deletedAt = deleted.get(item.id)?.deletedAt;
    return deletedAt === undefined || rules.deletedListed(item, deletedAt, ask);
  };
  const listed = deleted.size === 0 ? all : all.filter(stays);
  return page(world, ask, {
    all,
    listed,
    text: (item, place) => {
      const record = shownSource(world, ask, item, deleted.get(item.id)?.deletedAt);
      const shown = rules.sourceShown(record, place, ask);
      return shown === item.record ? item.text : JSON.stringify(shown);
    },
  });
}

/** Section 4.5. */
export const listDataSources: OperationModel = {
  denied: (world, ask) => deniedInOrganization(world, ask, world.rules.mayListSources),
  missing: missingOrganization,
  act,
};
