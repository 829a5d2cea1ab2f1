import { type Ask, type Refusal, refusal } from '../http/ask.ts';
import type { World } from '../world.ts';

/** Refuses whom the rule does not let into the path's organization. */
export function deniedInOrganization(
  world: World,
  ask: Ask,
  allowed: (isAdmin: boolean, ask: Ask) => boolean,
): Refusal | undefined {
  const { organizationId } = ask.ids;
  const isAdmin = world.rules.isAdmin(ask.caller, organizationId, ask);
  if (allowed(isAdmin, ask)) return undefined;
  return missingOrganization(world, ask) ?? refusal('denied', organizationId);
}

export function missingOrganization(world: World, ask: Ask): Refusal | undefined {
  const { organizationId } = ask.ids;
  return world.state.organizations.has(organizationId) ? undefined : refusal('unknownOrganization', organizationId);
}
