import { type Ask, type Caller, type Refusal, refusal } from './http/ask.ts';
import type { World } from './world.ts';

/** Who sends this. */
export function authenticate(world: World, ask: Ask): { readonly ok: true; readonly caller: Caller } | Refusal {
  const { rules, state } = world;
  const callers = state.data.callersByKey;
  const header = rules.credentialHeader(ask);
  let caller: Caller | undefined;
  if (header === undefined) {
    caller = rules.anonymousCaller(callers, ask);
  } else {
    const { scheme, token } = rules.credential(header, ask);
    if (rules.schemeAccepted(scheme, ask)) caller = rules.callerOfToken(token, callers, ask);
  }
  return caller === undefined ? refusal('unauthenticated') : { ok: true, caller };
}
