import { type Outcome, type Refusal, refusal, type Request } from '../http/request.ts';
import type { World } from '../world.ts';

/** An operation of section 4: its parts in the order in which they are evaluated. */
export type OperationModel = {
  /** Refuses a caller whose role does not allow the operation. */
  readonly denied: (world: World, request: Request) => Refusal | undefined;
  /** Refuses a path that names something that does not exist. */
  readonly missing: (world: World, request: Request) => Refusal | undefined;
  /** Carries the operation out, or refuses the rest of the request. */
  readonly act: (world: World, request: Request) => Outcome | Promise<Outcome>;
};

export function deniedInOrganization(world: World, request: Request): Refusal | undefined {
  const { organizationId } = request.ids;
  const organization = world.rules.isAdmin(request.caller, organizationId, request);
  if (world.rules.allowed({ organization, owner: false }, request)) return undefined;
  return missingOrganization(world, request) ?? refusal('denied', organizationId);
}

export function missingOrganization(world: World, request: Request): Refusal | undefined {
  const { organizationId } = request.ids;
  return world.state.organizations.has(organizationId) ? undefined : refusal('unknownOrganization', organizationId);
}
