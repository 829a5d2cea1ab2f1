import type { Request, Outcome, Refusal } from '../http/request.ts';
import type { World } from '../world.ts';

/** An operation of section 4, in the order in which its parts are asked. */
export type OperationModel = {
  /** Why the caller's role does not allow it. */
  readonly denied: (world: World, request: Request) => Refusal | undefined;
  /** What of the path does not exist. */
  readonly missing: (world: World, request: Request) => Refusal | undefined;
  /** Carries it out, or refuses what was sent. */
  readonly act: (world: World, request: Request) => Outcome | Promise<Outcome>;
};
