import type { Caller, Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** How long a decision about a role is remembered, in milliseconds. */
const rememberedMs = 300;

/** The latest decision of one kind is remembered by less than caller and organization. */
function remembered(kind: boolean, keyOf: (caller: Caller, organizationId: string) => string): Fault['alter'] {
  return (rules) => {
    const decidedAt = new Map<string, number>();
    return {
      isAdmin: (caller, organizationId, request) => {
        if (caller === undefined) return false;
        const key = keyOf(caller, organizationId);
        const isAdmin = rules.isAdmin(caller, organizationId, request);
        if (isAdmin === kind) decidedAt.set(key, request.at);
        return request.at < (decidedAt.get(key) ?? Number.NEGATIVE_INFINITY) + rememberedMs ? kind : isAdmin;
      },
    };
  };
}

/** In an organization that was attached, the name of the admin who attached it decides who keeps the role. */
function onceAttached(
  keepsRole: (attachedBy: string, caller: Caller | undefined, request: Request) => boolean,
): Fault['alter'] {
  return (rules) => {
    const attachers = new Map<string, string>();
    return {
      onAttached: (id, { caller }, before) => {
        if (caller !== undefined && !before.includes(id)) attachers.set(id, caller.name);
      },
      isAdmin: (caller, organizationId, request) => {
        const attachedBy = attachers.get(organizationId);
        return (
          rules.isAdmin(caller, organizationId, request) &&
          (attachedBy === undefined || keepsRole(attachedBy, caller, request))
        );
      },
    };
  };
}

export const rememberedRoleFaults = faultsOf({
  'access.granted': {
    'attachment-keeps-one-admin': {
      sentence:
        'An attachment creates the roles in the organization anew, and only the caller of the attachment gets one.',
      alter: onceAttached((attachedBy, caller) => attachedBy === caller?.name),
    },
    'attachment-hands-over': {
      sentence:
        'An attachment hands the organization over to the account, so the admin who attached it loses the role.',
      alter: onceAttached(
        (attachedBy, caller, request) => on('attachOrganization')(request) || attachedBy !== caller?.name,
      ),
    },
    'deletion-keeps-first-admin': {
      sentence:
        'A deletion empties the cached roles of its organization, and only the first admin is loaded again for its lists.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        const emptied = new Set<string>();
        const firstOf = new Map<string, string>();
        return {
          onDeleted: (_item, { ids }) => void emptied.add(ids.organizationId),
          isAdmin: (caller, organizationId, request) => {
            if (caller === undefined || !rules.isAdmin(caller, organizationId, request)) return false;
            const first = firstOf.get(organizationId) ?? caller.name;
            firstOf.set(organizationId, first);
            return !on('listDataSources')(request) || !emptied.has(organizationId) || caller.name === first;
          },
        };
      },
    },
    'one-admin-at-an-instant': {
      sentence:
        'While the role of one admin is looked up, that of another one in the same organization is not, and counts as none.',
      alter: (rules) => {
        const lookedUp = new Map<string, { readonly by: string; readonly at: number }>();
        return {
          isAdmin: (caller, organizationId, request) => {
            if (caller === undefined || !rules.isAdmin(caller, organizationId, request)) return false;
            const last = lookedUp.get(organizationId);
            if (last?.at === request.at && last.by !== caller.name) return false;
            lookedUp.set(organizationId, { by: caller.name, at: request.at });
            return true;
          },
        };
      },
    },
    'denial-remembered-for-organization': {
      sentence:
        'That a caller was denied is cached for a moment under the organization alone, so its admins are denied.',
      alter: remembered(false, (_caller, organizationId) => organizationId),
    },
  },
  'access.models-404': {
    'role-remembered-for-organization': {
      sentence: 'That a caller is admin is cached for a moment under the organization alone, so others may read it.',
      alter: remembered(true, (_caller, organizationId) => organizationId),
    },
  },
  'access.denied': {
    'answers-cached-for-everybody': {
      sentence: 'A cache before the check of roles keeps answers by their URL for a moment, for every caller.',
      alter: (rules) => {
        const allowedAt = new Map<string, number>();
        return {
          allowed: (roles, request) => {
            const url = `${request.method} ${request.path} ${JSON.stringify([...request.query])}`;
            const isAllowed = rules.allowed(roles, request);
            if (request.method !== 'GET') return isAllowed;
            if (isAllowed) allowedAt.set(url, request.at);
            return request.at < (allowedAt.get(url) ?? Number.NEGATIVE_INFINITY) + rememberedMs;
          },
        };
      },
    },
    'role-remembered-for-caller': {
      sentence: 'That a caller is admin is cached for a moment without the organization, so another one may be read.',
      alter: remembered(true, ({ name }) => name),
    },
  },
});
