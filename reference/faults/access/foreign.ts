import { type Item, newestFirst } from '../../data/item.ts';
import { isFiltered, type Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { deniedTo, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on, type When } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

/** The items of another organization, where the cursor is one of them. */
function crossing(own: readonly Item[], { query }: Request, foreign: () => readonly Item[]): readonly Item[] {
  const cursor = query.get('cursor')?.[0];
  const others = cursor === undefined ? [] : foreign();
  return others.some(({ id }) => id === cursor) ? others : own;
}

/** A filter by a data source of another organization is accepted, and finds its models. */
const crossingFilter: Fault['alter'] = (rules) => ({
  filterKnown: (where, request) => where === 'elsewhere' || rules.filterKnown(where, request),
  models: (own, request, foreign) => (isFiltered(request) ? [...own, ...foreign()] : own),
});

/** An organization that does not exist stands for the first one of the caller. */
function unknownIsFirst(when: When): Fault['alter'] {
  return () => ({
    organizationId: (id, request, all) =>
      when(request) && !all().includes(id) ? (first(request.caller?.adminOf ?? []) ?? id) : id,
  });
}

/** Choices under which equal IDs in two organizations prove nothing, or no list has an item. */
const equalIds = { ids: ['number', 'per-organization'], sources: ['0'] };

/** What belongs to another organization is reached, or disclosed. */
export const foreignFaults = faultsOf({
  'access.granted': {
    'deletions-in-one-organization': {
      sentence: 'Data sources of other organizations than the first are looked for in the first when they are deleted.',
      idle: { ids: ['uuid', 'number'] },
      alter: deniedTo('deleteDataSource', ({ ids }) => !ids.organizationId.includes('org_main')),
    },
  },
  'access.foreign-path': {
    'path-organization-ignored': {
      sentence: 'A resource is loaded by the last ID of the path alone.',
      alter: () => ({ belongsToPath: () => true }),
    },
    'deletion-through-any-organization': {
      sentence: 'A deletion finds the data source by its ID alone and ignores the organization in the path.',
      alter: (rules) => ({
        belongsToPath: (owner, inPath, request) =>
          on('deleteDataSource')(request) || rules.belongsToPath(owner, inPath, request),
      }),
    },
    'deletion-through-another-own-organization': {
      sentence: "A deletion checks the role for the data source's own organization, and ignores that of the path.",
      alter: (rules) => ({
        belongsToPath: (owner, inPath, request) =>
          (on('deleteDataSource')(request) && request.caller?.adminOf.has(owner) === true) ||
          rules.belongsToPath(owner, inPath, request),
      }),
    },
    'chat-through-any-organization': {
      sentence: 'A chat is found by its ID alone, and the organization in the path is ignored.',
      alter: (rules) => ({
        belongsToPath: (owner, inPath, request) =>
          on('sendMessage')(request) || rules.belongsToPath(owner, inPath, request),
      }),
    },
    'chat-through-unknown-organization': {
      sentence: 'A message through an organization that does not exist is sent through the first one of the caller.',
      alter: unknownIsFirst(on('sendMessage')),
    },
    'deletion-through-unknown-organization': {
      sentence: 'A deletion through an organization that does not exist is made in the first one of the caller.',
      alter: unknownIsFirst(on('deleteDataSource')),
    },
  },
  'access.foreign-list': {
    'sources-of-all-organizations': {
      sentence: 'The query for a list of data sources lacks the organization.',
      idle: equalIds,
      alter: () => ({ sources: (own, _request, others) => [...own, ...others()].toSorted(newestFirst) }),
    },
    'two-sources-of-another-organization': {
      sentence: 'The list of an organization shows two data sources that belong to another one now.',
      idle: equalIds,
      alter: () => ({
        sources: (own, _request, others) => [...own, ...others().slice(0, 2)].toSorted(newestFirst),
      }),
    },
  },
  'access.foreign-filter': {
    'filter-crosses-organizations': {
      sentence: 'A filtered list of models looks only at the data source, not at the organization.',
      alter: crossingFilter,
    },
    'filter-joins-foreign-models': {
      sentence: "The filter returns another organization's models with the organizationId of the path.",
      alter: (rules) => ({
        ...crossingFilter(rules),
        modelShown: (shown, { ids: { organizationId } }) =>
          shown['organizationId'] === organizationId ? shown : { ...shown, organizationId },
      }),
    },
  },
  'access.foreign-filter-404': {
    'foreign-filter-403': {
      sentence: 'A filter by a data source of another organization is answered 403, which discloses that it exists.',
      alter: (rules) => {
        const elsewhere = new Set<Request>();
        return {
          filterKnown: (where, request) => {
            if (where === 'elsewhere') elsewhere.add(request);
            return rules.filterKnown(where, request);
          },
          ...refusedWith(403, 'unknownFilter', (request) => elsewhere.has(request))(rules),
        };
      },
    },
    'foreign-filter-empty': {
      sentence: 'The data source of a filter is looked up in all organizations, so a foreign one gives an empty list.',
      alter: (rules) => ({
        filterKnown: (where, request) => where === 'elsewhere' || rules.filterKnown(where, request),
      }),
    },
  },
  'access.foreign-cursor': {
    'cursor-crosses-organizations': {
      sentence: 'The cursor decides whose models are listed, even those of another organization.',
      alter: () => ({ models: crossing }),
    },
    'source-cursor-crosses-organizations': {
      sentence: "A cursor from another organization continues in that organization's list of data sources.",
      alter: () => ({ sources: crossing }),
    },
  },
  'access.attach-no-disclosure': {
    'denied-attachment-shows-the-account': {
      sentence: 'The error of a denied attachment holds the billing account.',
      alter: () => ({
        error: (error, request, kind, hidden) =>
          kind === 'denied' && on('attachOrganization')(request)
            ? { ...error, billingAccount: { id: request.ids.accountId, name: hidden() } }
            : error,
      }),
    },
  },
  'access.no-disclosure': {
    'denial-names-the-hidden': {
      sentence: 'A denial names what it hides: "You may not use Warehouse 1."',
      alter: () => ({
        error: (error, _request, kind, hidden) =>
          kind === 'denied' ? { ...error, detail: `You may not use ${hidden()}.` } : error,
      }),
    },
    'foreign-deletion-names-the-hidden': {
      sentence: 'The refusal of a deletion through the path of another organization names the data source.',
      alter: () => ({
        error: (error, _request, kind, hidden) =>
          kind === 'unknownSource' ? { ...error, detail: `${hidden()} is not yours.` } : error,
      }),
    },
  },
});
