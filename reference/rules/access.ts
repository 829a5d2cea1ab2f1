import type { Caller, Request } from '../http/request.ts';

/** Whether a caller is admin of the organization in the path or body, and of the owner of the billing account. */
export type Roles = { readonly organization: boolean; readonly owner: boolean };

/** Section 5, points 3 and 4. */
export const accessRules = {
  isAdmin(caller: Caller | undefined, organizationId: string, _request: Request): boolean {
    return caller?.adminOf.has(organizationId) ?? false;
  },
  /** The specification names no role for messages. The careful reading: a chat belongs to the organization's admins. */
  allowed({ organization, owner }: Roles, { operation }: Request): boolean {
    if (operation === 'getBillingAccount') return owner;
    if (operation === 'attachOrganization') return organization && owner;
    return organization;
  },
  /** Whether a resource of one organization is found under the path of another. */
  belongsToPath(ownerId: string, pathOrganizationId: string, _request: Request): boolean {
    return ownerId === pathOrganizationId;
  },
} as const;
