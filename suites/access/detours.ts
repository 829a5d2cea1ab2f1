import type { Api } from '../../engine/api.ts';
import type { Principal } from '../../core/target.ts';
import { unknownPlace } from '../shared/place.ts';

/** Another organization's path, and one of its admins. */
export type Detour = { readonly organizationId: string; readonly principal: Principal };

/**
 * Requests for something of an organization through the path of another: by an admin of both organizations, so that
 * only the path is wrong, and by an admin of the other one alone. At most one of each kind. `usable`
 * selects the organizations that cannot have an item with the same ID themselves.
 */
export function detoursAround(
  { session }: Api,
  organizationId: string,
  usable: (organizationId: string) => boolean,
): readonly Detour[] {
  const all = session.target.principals.flatMap((principal) =>
    principal.adminOf
      .filter((id) => id !== organizationId && usable(id))
      .map((id) => ({ organizationId: id, principal })),
  );
  const byBoth = all.find(({ principal }) => principal.adminOf.includes(organizationId));
  const byStranger = all.find(({ principal }) => !principal.adminOf.includes(organizationId));
  return [byBoth, byStranger].filter((detour) => detour !== undefined);
}

/** The path of an organization that does not exist: a middleware may check the role only if it finds the organization. */
export function detourThroughNothing(api: Api, principal: Principal): Detour {
  return { organizationId: unknownPlace(api).organizationId, principal };
}
