import { type Request, type Caller, type Refusal, refusal } from './http/request.ts';
import type { World } from './world.ts';

/** Who sends this. */
export function authenticate(world: World, request: Request): { readonly ok: true; readonly caller: Caller } | Refusal {
  const { rules, state } = world;
  const callers = state.data.callersByKey;
  const header = rules.credentialHeader(request);
  let caller: Caller | undefined;
  if (header === undefined) {
    caller = rules.anonymousCaller(callers, request);
  } else {
    const { scheme, token } = rules.credential(header, request);
    if (rules.schemeAccepted(scheme, request)) caller = rules.callerOfToken(token, callers, request);
  }
  return caller === undefined ? refusal('unauthenticated') : { ok: true, caller };
}
