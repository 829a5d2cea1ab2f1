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
 * The request that uses a quota up: a list. If this run met a limit on messages or deletions but none on lists, harmless messages and
 * deletions too; they follow also if half of the requests that may be sent are lists that meet no limit. Once one is refused, it alone is
 * sent: what is invalid or repeated may be answered before anything is counted.
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
    chat.ok ? [messageWrite(api, chat.value).harmless, repetition(api, principal, chat.value) ?? []].flat() : [],
    isOwn ? deletionWrite(api, disposable.value).harmless : [],
  ].flat();
  const isOnWrites = limited.has('sendMessage') || limited.has('deleteDataSource');
  const alone = isOnWrites ? 0 : Math.floor(limits.rateProbeRequests / 2);
  return rateProbe(api, untilRefused([lists, ...writes], alone));
}

/**
 * Requests in turn, and only the first one that is answered 429 from then on. If the first one is sent `alone` so often, the others follow
 * without it.
 */
export function untilRefused(sends: readonly Send[], alone = 0): Send {
  const inTurn = alone > 0 && sends.length > 1 ? sends.slice(1) : sends;
  let sent = 0;
  let refused: Send | undefined;
  return async (gate) => {
    const send = refused ?? (sent < alone ? sends[0] : inTurn[sent % inTurn.length]);
    if (send === undefined) throw new Error('there is no request to send');
    sent += 1;
    const answer = await send(gate);
    if (answer.status === 429) refused ??= send;
    return answer;
  };
}

/**
 * The oldest message of the principal to another chat that was not repeated, once more. The limit refuses it, too, and its message must
 * keep its key: idempotency.after/at-last repeats it again. Undefined if there is none.
 */
export function repetition(api: Api, { name }: Principal, apartFrom?: Chat): Send | undefined {
  const oldest = unrepeatedIn(api.session).find((one) => one.caller.name === name && one.chat !== apartFrom);
  if (oldest === undefined) return undefined;
  const { caller, chat, text: message, written, key } = oldest;
  return (gate) => {
    suspectKey(api.session, key);
    return api.sendMessage(caller, chat, { message, ...written, key }, { patient: false, gate });
  };
}
