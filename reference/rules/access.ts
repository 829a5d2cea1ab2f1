import type { Ask, Caller, Refusal } from '../http/ask.ts';

/** Section 5, points 3 and 4. */
export const accessRules = {
  isAdmin(caller: Caller | undefined, organizationId: string, _ask: Ask): boolean {
    return caller?.adminOf.has(organizationId) ?? false;
  },
  mayListModels(isAdmin: boolean, _ask: Ask): boolean {
    return isAdmin;
  },
  mayListSources(isAdmin: boolean, _ask: Ask): boolean {
    return isAdmin;
  },
  mayDeleteSource(isAdmin: boolean, _ask: Ask): boolean {
    return isAdmin;
  },
  /** The specification is silent: the careful reading is that chats belong to the organization's admins. */
  maySendMessage(isAdmin: boolean, _ask: Ask): boolean {
    return isAdmin;
  },
  mayReadAccount(isOwnerAdmin: boolean, _ask: Ask): boolean {
    return isOwnerAdmin;
  },
  mayAttach(isAdmin: boolean, isOwnerAdmin: boolean, _ask: Ask): boolean {
    return isAdmin && isOwnerAdmin;
  },
  /** Whether something of one organization is found under the path of another. */
  belongsToPath(ownerId: string, pathOrganizationId: string, _ask: Ask): boolean {
    return ownerId === pathOrganizationId;
  },
  /** Whether a refused request is carried out all the same. */
  actsThoughRefused(_refusal: Refusal, _ask: Ask): boolean {
    return false;
  },
} as const;
