import { isFiltered, type Caller, type Request } from '../../http/request.ts';
import { alsoAllowed, deniedTo, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, isWholePage, on } from '../shared/requests.ts';
import { first } from '../shared/values.ts';

function isAdminSomewhere({ caller }: Request): boolean {
  return (caller?.adminOf.size ?? 0) > 0;
}

export const accessFaults = faultsOf({
  'access.granted': {
    'authorization-by-case': {
      sentence: 'The header Authorization is not found if its name is in capitals.',
      alter: (rules) => ({
        credentialHeader: (request) =>
          request.headerNames === 'capitals' ? undefined : rules.credentialHeader(request),
      }),
    },
    'authorization-in-lower-case': {
      sentence: 'The header Authorization is not found if its name is in lower case, as proxies of HTTP/2 write it.',
      alter: (rules) => ({
        credentialHeader: (request) =>
          request.headerNames === 'lower case' ? undefined : rules.credentialHeader(request),
      }),
    },
    'admin-of-first-only': {
      sentence: 'Only the first organization of a key is loaded.',
      alter: () => ({ isAdmin: (caller, organizationId) => first(caller?.adminOf ?? []) === organizationId }),
    },
    'last-organization-without-sources': {
      sentence: 'The data sources of the last organization of a key are denied: < instead of <=.',
      alter: deniedTo(
        'listDataSources',
        ({ caller, ids }) => [...(caller?.adminOf ?? [])].at(-1) === ids.organizationId,
      ),
    },
    'one-admin-remembered': {
      sentence: 'The first admin who uses an organization is remembered as its only one.',
      alter: (rules) => {
        const remembered = new Map<string, string>();
        return {
          isAdmin: (caller, organizationId, request) => {
            if (caller === undefined || !rules.isAdmin(caller, organizationId, request)) return false;
            const only = remembered.get(organizationId) ?? caller.name;
            remembered.set(organizationId, only);
            return only === caller.name;
          },
        };
      },
    },
    'account-without-readers': {
      sentence: 'Reading a billing account needs a permission that no key can have.',
      alter: deniedTo('getBillingAccount'),
    },
    'owner-first-locked-out': {
      sentence: 'A key whose first organization owns the billing account cannot read it: indexOf(owner) > 0.',
      alter: (rules) => ({
        isAdmin: (caller, organizationId, request) => {
          const isFirst = first(caller?.adminOf ?? []) === organizationId;
          return !(on('getBillingAccount')(request) && isFirst) && rules.isAdmin(caller, organizationId, request);
        },
      }),
    },
    'deletion-for-nobody': {
      sentence: 'A deletion needs a permission that no key can have.',
      alter: deniedTo('deleteDataSource'),
    },
    'attachment-by-creator-alone': {
      sentence: 'An organization can be attached only by the admin who created it.',
      alter: deniedTo('attachOrganization', ({ caller }) => caller?.name === 'dave'),
    },
    'deletion-by-creator-alone': {
      sentence: 'A data source is deleted with WHERE created_by = caller, so another admin finds nothing.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: deniedTo('deleteDataSource', ({ caller }) => caller?.name === 'dave'),
    },
    'second-message-denied': {
      sentence: "A message hands its chat over to the assistant, so the same caller's next message is denied.",
      idle: { assistant: ['minutes'] },
      alter: (rules) => {
        const senders = new Set<string>();
        return deniedTo('sendMessage', ({ caller, ids }) => {
          const sender = `${caller?.name} ${ids.chatId}`;
          const isSecond = senders.has(sender);
          senders.add(sender);
          return isSecond;
        })(rules);
      },
    },
  },
  'access.models-404': {
    'denied-models-403': {
      sentence: 'Listing models without the role is answered 403, which discloses that the organization exists.',
      alter: refusedWith(403, 'denied', on('listModels')),
    },
    'models-for-every-admin': {
      sentence: 'An admin of any organization may list the models of every organization.',
      alter: alsoAllowed('listModels', isAdminSomewhere),
    },
    'no-role-at-all-403': {
      sentence: 'Listing models is answered 403 for a key without any role, and 404 for other keys without access.',
      alter: refusedWith(403, 'denied', (request) => on('listModels')(request) && request.caller?.adminOf.size === 0),
    },
    'organization-of-the-header': {
      sentence: 'The role is checked for the organization in the header X-Organization-Id.',
      alter: (rules) => ({
        isAdmin: (caller, organizationId, request) =>
          rules.isAdmin(caller, request.headers['x-organization-id'] ?? organizationId, request),
      }),
    },
    'later-models-for-everybody': {
      sentence: 'The role is checked only for the first page of models, not for a request with a cursor.',
      alter: alsoAllowed('listModels', hasCursor),
    },
    'filtered-models-for-everybody': {
      sentence: 'Filtered lists of models use a query of their own, which does not check the role.',
      alter: alsoAllowed('listModels', isFiltered),
    },
  },
  'access.denied': {
    'organization-of-the-query': {
      sentence: 'The role is checked for the orgId of the query, which the framework merges over the one of the path.',
      alter: (rules) => ({
        isAdmin: (caller, organizationId, request) =>
          rules.isAdmin(caller, request.query.get('orgId')?.[0] ?? organizationId, request),
      }),
    },
    'whole-pages-for-everybody': {
      sentence: 'Pages of 100 data sources come from an export, which does not check the role.',
      alter: alsoAllowed('listDataSources', isWholePage),
    },
    'escaped-path-unchecked': {
      sentence: 'The filter that checks roles compares paths as they were sent, and an escape in one is no match.',
      alter: alsoAllowed('listDataSources', ({ path }) => path.includes('%')),
    },
    'path-with-slash-unchecked': {
      sentence: 'The router ignores a slash at the end of a path, but the filter that checks roles does not.',
      alter: (rules) => ({
        received: (request) => {
          const id = /organizations\/([^/]+)\/data-sources\/$/.exec(request.path)?.[1];
          if (id === undefined) return request;
          const ids = { ...request.ids, organizationId: decodeURIComponent(id) };
          return { ...request, operation: 'listDataSources', ids };
        },
        ...alsoAllowed('listDataSources', ({ path }) => path.endsWith('/'))(rules),
      }),
    },
    'role-of-the-request-before': {
      sentence: 'Every third request gets the rights of the previous caller, which a variable of the module keeps.',
      alter: () => {
        let before: Caller | undefined;
        let count = 0;
        return {
          caller: (caller) => {
            count += 1;
            const other = count % 3 === 0 ? before : undefined;
            before = caller;
            return caller === undefined ? undefined : (other ?? caller);
          },
        };
      },
    },
    'sources-for-everybody': {
      sentence: 'Any valid key may list data sources.',
      alter: alsoAllowed('listDataSources', () => true),
    },
    'deletion-for-everybody': {
      sentence: 'Any valid key may delete a data source.',
      alter: alsoAllowed('deleteDataSource', () => true),
    },
    'account-for-every-admin': {
      sentence: 'An admin of any organization may read every billing account.',
      alter: alsoAllowed('getBillingAccount', isAdminSomewhere),
    },
    'account-for-the-billed': {
      sentence: 'The admins of every billed organization may read the billing account.',
      alter: (rules) => {
        const attached = new Set<string>();
        return {
          onAttached: (id) => void attached.add(id),
          ...alsoAllowed('getBillingAccount', ({ caller }) => attached.values().some((id) => caller?.adminOf.has(id)))(
            rules,
          ),
        };
      },
    },
    'later-sources-for-everybody': {
      sentence: 'The role is checked only for the first page of data sources, not for a request with a cursor.',
      alter: alsoAllowed('listDataSources', hasCursor),
    },
  },
});
