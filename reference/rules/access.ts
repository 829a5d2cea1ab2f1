import type { Request, Caller, Refusal } from '../http/request.ts';

/** Section 5, points 3 and 4. */
export const accessRules = {
  isAdmin(caller: Caller | undefined, organizationId: string, _request: Request): boolean {
    return caller?.adminOf.has(organizationId) ?? false;
  },
  mayListModels(isAdmin: boolean, _request: Request): boolean {
    return isAdmin;
  },
  mayListSources(isAdmin: boolean, _request: Request): boolean {
    return isAdmin;
  },
  mayDeleteSource(isAdmin: boolean, _request: Request): boolean {
    return isAdmin;
  },
  /** The specification is silent: the careful reading is that chats belong to the organization's admins. */
  maySendMessage(isAdmin: boolean, _request: Request): boolean {
    return isAdmin;
  },
  mayReadAccount(isOwnerAdmin: boolean, _request: Request): boolean {
    return isOwnerAdmin;
  },
  mayAttach(isAdmin: boolean, isOwnerAdmin: boolean, _request: Request): boolean {
    return isAdmin && isOwnerAdmin;
  },
  /** Whether something of one organization is found under the path of another. */
  belongsToPath(ownerId: string, pathOrganizationId: string, _request: Request): boolean {
    return ownerId === pathOrganizationId;
  },
  /** Whether a refused request is carried out all the same. */
  actsThoughRefused(_refusal: Refusal, _request: Request): boolean {
    return false;
  },
} as const;
