import { type Request, type Refusal, refusal } from '../http/request.ts';
import type { World } from '../world.ts';

/** Refuses whom the rule does not let into the path's organization. */
export function deniedInOrganization(
  world: World,
  request: Request,
  allowed: (isAdmin: boolean, request: Request) => boolean,
): Refusal | undefined {
  const { organizationId } = request.ids;
  const isAdmin = world.rules.isAdmin(request.caller, organizationId, request);
  if (allowed(isAdmin, request)) return undefined;
  return missingOrganization(world, request) ?? refusal('denied', organizationId);
}

export function missingOrganization(world: World, request: Request): Refusal | undefined {
  const { organizationId } = request.ids;
  return world.state.organizations.has(organizationId) ? undefined : refusal('unknownOrganization', organizationId);
}
