import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { type Unheld, unheldOf } from '../../engine/session/answers/unheld-messages.ts';
import { Violation } from '../../engine/verdict.ts';
import { durationsOf } from '../../stage/chats/latest-message.ts';
import { givenAllowanceMs } from '../../stage/chats/latency.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { ms } from './must-hold.ts';
import { hasTrait, sendLike, type Trait, traits } from './sent-alike.ts';

/** A 200 that takes this many milliseconds longer than the network may have waited for its response. */
const waitedMs = 100;
/** So many late answers may be due to a network that is slow now and then. */
const fewLate = 2;
/** Ways to send that are tried if no trait is shared, and messages that are sent at most in each. */
const [mostWays, mostTries] = [2, 6];
/** After so many that are in time, there is nothing to find, unless an earlier answer was held without doubt. */
const enoughInTime = 2;
/** So many held without doubt are a violation, one of them sent to confirm it; or so many that are late each time. */
const [heldEnough, lateEnough] = [2, 4];
/** A gateway may send a message with a key again after it lost the answer, so most tries must be held if all have keys. */
const keyedEnough = 4;

/** A message without `wait` that was sent to confirm a suspicion, and what it shows. */
type Tried = { readonly isKeyed: boolean; readonly answer: Answer; readonly isLate: boolean; readonly isHeld: boolean };

/**
 * No message of the run without `wait` may have been held, wherever and however it was sent. What looks held is sent once more in the
 * same way: to that chat and entry point, with or without a key, and with what all of them have in common. Once one is in time, all go
 * without a key if the deployment allows that.
 */
export async function mustNotHoldUnasked(api: Api): Promise<void> {
  await givenAccepted(api);
  const allowanceMs = await givenAllowanceMs(api);
  const unheld = unheldOf(api.session);
  const held = unheld.filter((one) => isHeld(api, one, allowanceMs)).map(({ answer }) => answer);
  const ways = waysAmong(api, unheld, allowanceMs);
  // If another check has found messages that are held, one way is enough.
  for (const way of api.isKnown ? ways.slice(0, 1) : ways) {
    const tried: Tried[] = [];
    const needsKey = way.trait === 'after another' || unheld.every(({ isKeyed }) => isKeyed);
    while (tried.length < mostTries) {
      const isKeyed = way.like.isKeyed && (needsKey || tried.every(({ isLate }) => isLate));
      const one = await unlessBlocked(() => tryOnce(api, { ...way, like: { ...way.like, isKeyed } }, allowanceMs));
      if (one === undefined) break;
      tried.push(one);
      mustBeAtOnce(tried, held, allowanceMs);
      if (held.length === 0 && tried.length >= enoughInTime && !tried.some(({ isLate }) => isLate)) break;
    }
  }
}

/** What a message is sent like. */
type Way = { readonly like: Unheld; readonly trait: Trait | undefined };

/** Ways to send that look held, those first that show the most, and one for each trait that all suspects share. */
function waysAmong({ session }: Api, unheld: readonly Unheld[], allowanceMs: number): readonly Way[] {
  const latencyMs = allowanceMs - session.target.limits.toleranceMs;
  // An assistant that is quicker than its service answers 200 without being waited for.
  const isUsually202 = unheld.some(({ answer }) => answer.status === 202);
  const isWaitedFor = ({ answer: { status, elapsedMs } }: Unheld): boolean =>
    status === 200 && isUsually202 && elapsedMs > latencyMs + waitedMs;
  const late = unheld.filter(({ answer }) => answer.elapsedMs > allowanceMs);
  const finished = late.filter(({ answer }) => answer.status === 200);
  const all = [...finished, ...unheld.filter(isWaitedFor), ...(late.length > fewLate ? late : [])];
  const alike = Map.groupBy(all, ({ chatId, isKeyed, answer }) =>
    JSON.stringify([chatId, isKeyed, answer.exchange.request.baseUrl]),
  );
  const plain = [...alike.values()].flatMap(([like]): Way[] =>
    like === undefined ? [] : [{ like, trait: undefined }],
  );
  const shared = traits.filter((trait) => all.every((one) => hasTrait(one, trait)));
  const special = all.slice(0, 1).flatMap((like) => shared.map((trait) => ({ like, trait })));
  return [...plain.slice(0, special.length === 0 ? mostWays : 1), ...special];
}

/** Whether an answer was held without doubt: it shows a response finished that always takes longer than the network. */
function isHeld(
  { session }: Api,
  { text, answer: { status, elapsedMs } }: Pick<Unheld, 'text' | 'answer'>,
  allowanceMs: number,
): boolean {
  if (status !== 200 || elapsedMs <= allowanceMs || typeof text !== 'string') return false;
  return durationsOf(session, text).leastMs > allowanceMs;
}

async function tryOnce(api: Api, { like, trait }: Way, allowanceMs: number): Promise<Tried | undefined> {
  const sent = await sendLike(api, like, trait);
  if (sent === undefined) return undefined;
  const { text, answer, latenciesMs } = sent;
  const mostMs = Math.max(allowanceMs, api.session.target.limits.toleranceMs + Math.max(...latenciesMs));
  const isLate = answer.elapsedMs > mostMs;
  // How long a response to a long text takes is known from no other message.
  return { isKeyed: like.isKeyed, answer, isLate, isHeld: trait !== 'long' && isHeld(api, { text, answer }, mostMs) };
}

function mustBeAtOnce(tried: readonly Tried[], heldBefore: readonly Answer[], allowanceMs: number): void {
  const held = tried.filter((one) => one.isHeld);
  const late = tried.filter((one) => one.isLate);
  const isConfirmed = held.some(({ isKeyed }) => !isKeyed) && held.length + heldBefore.length >= heldEnough;
  const isUsual = held.length >= keyedEnough;
  if (!isConfirmed && !isUsual && (late.length < lateEnough || late.length < tried.length)) return;
  const shown = [...heldBefore.slice(0, heldEnough), ...late.map(({ answer }) => answer)];
  const times = shown.map(({ status, elapsedMs }) => `${status} after ${ms(elapsedMs)}`);
  throw new Violation(
    `an answer at once, within ${ms(allowanceMs)}, to every message without wait`,
    times.join(', '),
    shown.map(({ exchange }) => exchange),
  );
}
