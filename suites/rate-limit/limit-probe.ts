import type { Principal } from '../../core/target.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import type { Settled } from '../../engine/settled.ts';
import { suspectKey, unrepeatedIn } from '../../stage/chats/latest-message.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { listing, type RateProbe, rateProbe } from '../../stage/rate-limit/rate-probe.ts';
import { deletionWrite, messageWrite, type Send } from './limited-writes.ts';

type Prepared = {
  readonly principal: Principal;
  readonly chat: Settled<Chat>;
  readonly disposable: Settled<Disposable>;
};

/**
 * The request that uses a quota up: a list. If this run met a limit on writes but none on lists, or half of the requests that it may send
 * meet none, harmless writes too, until it is seen which of them are limited: what is invalid or repeated may be answered before anything
 * is counted.
 */
export function limitProbe(api: Api, { principal, chat, disposable }: Prepared): RateProbe {
  const { limits } = api.session.target;
  const limited = new Set(
    api.session.sampled().flatMap(({ status, exchange }) => (status === 429 ? [exchange.operation] : [])),
  );
  const lists = listing(api, principal);
  if (limited.has('listModels')) return rateProbe(api, lists);
  const isOwn = disposable.ok && disposable.value.admin.name === principal.name;
  const writes = [
    chat.ok ? [messageWrite(api, chat.value).harmless, repetition(api, principal) ?? []].flat() : [],
    isOwn ? deletionWrite(api, disposable.value).harmless : [],
  ].flat();
  const alone = limited.size > 0 ? 0 : Math.floor(limits.rateProbeRequests / 2);
  return rateProbe(api, untilRefused([lists, ...writes], alone));
}

/** Requests in turn after the first one was sent `alone` so often, and only the first one that is answered 429 from then on. */
export function untilRefused(sends: readonly Send[], alone = 0): Send {
  let sent = 0;
  let refused: Send | undefined;
  return async (gate) => {
    const send = refused ?? sends[sent < alone ? 0 : sent % sends.length];
    if (send === undefined) throw new Error('there is no request to send');
    sent += 1;
    const answer = await send(gate);
    if (answer.status === 429) refused ??= send;
    return answer;
  };
}

/**
 * The oldest message of the principal that was not repeated, once more. The limit refuses it, too, and its message must keep its key:
 * idempotency.after/at-last repeats it again.
 */
export function repetition(api: Api, { name }: Principal): Send | undefined {
  const oldest = unrepeatedIn(api.session).find(({ caller }) => caller.name === name);
  if (oldest === undefined) return undefined;
  const { caller, chat, text: message, written, key } = oldest;
  suspectKey(api.session, key);
  return (gate) => api.sendMessage(caller, chat, { message, ...written, key }, { patient: false, gate });
}
