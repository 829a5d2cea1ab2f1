import { isFiltered } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { alsoAllowed } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, type When } from '../shared/requests.ts';

/** Members without any role may list the organization of which an admin has seen the most models. */
function openToMembers(when: When): Fault['alter'] {
  return (rules) => {
    let largest = { organizationId: '', count: 0 };
    return {
      models: (items, { ids: { organizationId } }) => {
        if (items.length > largest.count) largest = { organizationId, count: items.length };
        return items;
      },
      ...alsoAllowed(
        'listModels',
        (request) =>
          request.caller?.adminOf.size === 0 && request.ids.organizationId === largest.organizationId && when(request),
      )(rules),
    };
  };
}

export const memberFaults = faultsOf({
  'access.models-404': {
    'largest-list-for-members': {
      sentence: 'Members without any role may list the models of the organization that has the most.',
      alter: openToMembers((request) => !isFiltered(request) && !hasCursor(request)),
    },
    'largest-list-filtered-for-members': {
      sentence: 'Members without any role may list the models of the organization that has the most, with a filter.',
      alter: openToMembers(isFiltered),
    },
  },
  'access.denied': {
    'owner-opens-to-the-billed': {
      sentence: 'An admin of an organization that is attached may list the data sources of the owner.',
      idle: { ids: ['uuid', 'number'], 'attachable-to-first': ['2'] },
      alter: (rules) => {
        const attached = new Set<string>();
        return {
          onAttached: (id) => void attached.add(id),
          ...alsoAllowed(
            'listDataSources',
            ({ caller, ids }) =>
              ids.organizationId.includes('org_owner') && attached.values().some((id) => caller?.adminOf.has(id)),
          )(rules),
        };
      },
    },
  },
});
