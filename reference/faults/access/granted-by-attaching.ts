import type { Caller, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on, type When } from '../shared/requests.ts';

/** What was attached, and the names of those who did so. */
type Attached = { readonly organizations: ReadonlySet<string>; readonly by: ReadonlySet<string> };

/** An attachment makes a caller an admin of an organization. */
function granting(
  grants: (caller: Caller, organizationId: string, attached: Attached) => boolean,
  when: When = (request: Request) => !on('attachOrganization')(request),
): Fault['alter'] {
  return (rules) => {
    const organizations = new Set<string>();
    const by = new Set<string>();
    return {
      onAttached: (id, { caller }) => {
        organizations.add(id);
        if (caller !== undefined) by.add(caller.name);
      },
      isAdmin: (caller, organizationId, request) =>
        rules.isAdmin(caller, organizationId, request) ||
        (caller !== undefined && when(request) && grants(caller, organizationId, { organizations, by })),
    };
  };
}

export const grantedByAttachingFaults = faultsOf({
  'access.denied': {
    'attaching-opens-unbilled': {
      sentence:
        'The role that an attachment gives has no organization, so a caller who attached one may read all that no account pays for.',
      alter: granting(
        (caller, organizationId, { organizations, by }) => by.has(caller.name) && !organizations.has(organizationId),
      ),
    },
    'attaching-promotes-members': {
      sentence: 'A paid organization has no member roles, so an attachment makes every member an admin of it.',
      alter: granting(
        ({ adminOf }, organizationId, { organizations }) => adminOf.size === 0 && organizations.has(organizationId),
      ),
    },
    'attaching-allows-deletions': {
      sentence: 'An attachment empties the cache of roles, and a deletion takes an empty cache for a permission.',
      alter: granting((_caller, _organizationId, { organizations }) => organizations.size > 0, on('deleteDataSource')),
    },
  },
});
