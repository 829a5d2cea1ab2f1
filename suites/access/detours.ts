import type { Api } from '../../engine/api.ts';
import type { Principal } from '../../core/target.ts';

/** Another organization's path, and one of its admins. */
export type Detour = { readonly organizationId: string; readonly principal: Principal };

/**
 * Ways to ask for something of an organization through the path of another: by somebody who is admin of both, so that
 * nothing but the path is wrong, and by somebody who is a stranger to the first. One each, where there is one. `usable`
 * says which organizations can have no such thing of their own under the same ID.
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
