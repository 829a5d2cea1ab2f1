import type { Answer } from '../../core/exchange.ts';
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
 * The request that uses a quota up: a list, unless this run met a limit on writes but none on lists. Then harmless writes too, until it
 * is seen which of them are limited: what is invalid or repeated may be answered before anything is counted.
 */
export function limitProbe(api: Api, { principal, chat, disposable }: Prepared): RateProbe {
  const limited = new Set(
    api.session.sampled().flatMap(({ status, exchange }) => (status === 429 ? [exchange.operation] : [])),
  );
  const lists = listing(api, principal);
  if (limited.has('listModels')) return rateProbe(api, lists);
  if (limited.has('sendMessage') && chat.ok) {
    const repeating = repetition(api, principal) ?? [];
    return rateProbe(api, untilRefused([lists, messageWrite(api, chat.value).harmless, repeating].flat()));
  }
  const isOwn = disposable.ok && disposable.value.admin.name === principal.name;
  if (limited.has('deleteDataSource') && isOwn)
    return rateProbe(api, untilRefused([lists, deletionWrite(api, disposable.value).harmless]));
  return rateProbe(api, lists);
}

/** Requests in turn, and only the first one that is answered 429 from then on. */
function untilRefused(sends: readonly Send[]): Send {
  let turn = -1;
  let refused: Send | undefined;
  return async () => {
    turn += 1;
    const send = refused ?? sends[turn % sends.length];
    if (send === undefined) throw new Error('there is no request to send');
    const answer: Answer = await send();
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
