import { alsoAllowed, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** An attachment needs the roles in both organizations. */
export const attachingRoleFaults = faultsOf({
  'access.attach-needs-organization-admin': {
    'attach-asks-owner-alone': {
      sentence: 'Attaching requires only the role in the owner organization.',
      alter: alsoAllowed('attachOrganization', (_request, { owner }) => owner),
    },
    'attach-for-a-member': {
      sentence: 'The admin of the owner may attach one organization without being its admin, as a member of it.',
      idle: { ids: ['uuid', 'number'], 'attachable-to-first': ['2'] },
      alter: alsoAllowed('attachOrganization', ({ body }, { owner }) => owner && body.includes('org_small')),
    },
    'attach-one-role-will-do': {
      sentence: 'Attaching requires either of the two roles: || instead of &&.',
      alter: alsoAllowed('attachOrganization', (_request, { organization, owner }) => organization || owner),
    },
  },
  'access.attach-needs-owner-admin': {
    'attach-asks-organization-alone': {
      sentence: 'Attaching requires only the role in the attached organization.',
      alter: alsoAllowed('attachOrganization', (_request, { organization }) => organization),
    },
    'owner-role-asked-once': {
      sentence: 'An account is open to everybody once its owner has attached the first organization to it.',
      alter: (rules) => {
        let isOpen = false;
        return {
          onAttached: () => (isOpen = true),
          isAdmin: (caller, organizationId, request) =>
            rules.isAdmin(caller, organizationId, request) ||
            (isOpen && on('attachOrganization')(request) && caller?.adminOf.size !== 0),
        };
      },
    },
    'attach-asks-any-owner': {
      sentence: 'The role in the owner of any billing account is enough to attach an organization of one to another.',
      alter: (rules) => {
        const owners = new Set<string>();
        return {
          isAdmin: (caller, organizationId, request) => {
            if (on('getBillingAccount')(request)) owners.add(organizationId);
            const asksOwner = on('attachOrganization')(request) && owners.has(organizationId);
            const asked = asksOwner ? [...owners] : [organizationId];
            return asked.some((id) => rules.isAdmin(caller, id, request));
          },
        };
      },
    },
    'attach-denied-200': {
      sentence: 'A denied attachment is answered 200 with an error in the body.',
      alter: refusedWith(200, 'denied', on('attachOrganization')),
    },
  },
  'access.attach-needs-a-role': {
    'attach-for-everybody': {
      sentence: 'Any valid key may attach an organization.',
      alter: alsoAllowed('attachOrganization', () => true),
    },
    'attach-roles-compared': {
      sentence: 'The two roles are compared with each other, so a caller with neither may attach.',
      alter: alsoAllowed('attachOrganization', (_request, { organization, owner }) => organization === owner),
    },
  },
});
