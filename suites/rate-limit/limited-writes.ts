import { type Answer, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { TransportError } from '../../core/http.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { atOnce, type Gate } from '../../engine/at-once.ts';
import { Blocked } from '../../engine/verdict.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { loseTrack } from '../../stage/chats/sending.ts';
import type { Attachable } from '../../core/attachables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { unknownIds } from '../../stage/lists/unknown-id.ts';
import { waitQuietly } from '../../stage/rate-limit/quiet-wait.ts';
import type { RateLimit } from '../../stage/rate-limit/record-rate-limit.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import { exhaustEarly, type RateProbe, rateProbe } from '../../stage/rate-limit/rate-probe.ts';

/**
 * A quota that asks for at most `mostMs` milliseconds refills continuously, and so does one that lets one of `look` requests pass.
 * It also refills while requests wait for limits.maxRequestsPerSecond. So `ahead` harmless requests go out at the same instant to
 * use up what was refilled, and `beside` more together with the real one, once one of them is refused.
 */
const moment = { mostMs: 150, look: 8, ahead: 32, beside: 4 } as const;

/** Whether a limit held, by its caller and the instant of its reset, in milliseconds of the clock. */
type Looks = { readonly caller: string; readonly resetAt: number; readonly holds: Promise<boolean> }[];
const looksIn = perRun((): Looks => []);
/** Resets that are this close to each other, in milliseconds, are one. */
const sameResetMs = 50;

/** The gate is awaited when the request has its turn. */
export type Send = (gate?: Gate) => Promise<Answer>;

/** A write that must not take effect, and a request of the same operation that never has an effect. */
export type Write = {
  readonly looks: Looks;
  readonly what: string;
  readonly harmless: Send;
  readonly real: Send;
  readonly passed: () => void;
};

export function messageWrite(api: Api, chat: Chat, realKey = api.freshKey()): Write {
  const post = (message: string, key: string, gate?: Gate): Promise<Answer> =>
    api.sendMessage(as(chat.admin), chat, { message, key }, { patient: false, gate });
  return {
    what: 'a message',
    looks: looksIn(api.session),
    harmless: (gate) => post('', api.freshKey(), gate),
    real: (gate) => post(api.session.target.assistant.slowPrompt, realKey, gate),
    passed: () => loseTrack(api, chat),
  };
}

/** A connection that breaks ends a deletion or an attachment: only requests that may be repeated are sent again by themselves. */
const ifBroken =
  (send: Send, instead: () => Promise<Answer>): Send =>
  (gate) =>
    send(gate).catch((error: unknown) => {
      if (!(error instanceof TransportError) || !['reset', 'truncated'].includes(error.failure)) throw error;
      return instead();
    });

/** A write whose connection breaks may have been carried out after the limit. */
async function cannotTell(what: string): Promise<never> {
  throw new Blocked(`the connection of ${what} broke at the rate limit: run the suite again`);
}

export function deletionWrite(api: Api, { organizationId, id, admin }: Disposable): Write {
  const [unknown] = unknownIds(api, id);
  const remove = (one: string, gate?: Gate): Promise<Answer> =>
    api.deleteDataSource(as(admin), organizationId, one, { patient: false, gate });
  return {
    what: 'a deletion',
    looks: looksIn(api.session),
    harmless: ifBroken(
      (gate) => remove(unknown, gate),
      () => remove(unknown),
    ),
    real: ifBroken(
      (gate) => remove(id, gate),
      () => cannotTell('a deletion'),
    ),
    passed: () => {},
  };
}

export function attachmentWrite(api: Api, { billingAccountId, organizationId, admin }: Attachable): Write {
  const [unknown] = unknownIds(api, organizationId);
  const attach = (one: string, gate?: Gate): Promise<Answer> =>
    api.attachOrganization(as(admin), billingAccountId, { organizationId: one }, { patient: false, gate });
  return {
    what: 'an attachment',
    looks: looksIn(api.session),
    harmless: ifBroken(
      (gate) => attach(unknown, gate),
      () => attach(unknown),
    ),
    real: ifBroken(
      (gate) => attach(organizationId, gate),
      () => cannotTell('an attachment'),
    ),
    passed: () => {},
  };
}

/**
 * The 429 to a write. Undefined, without sending it, if no harmless request of the same operation meets the limit, or if the limit
 * must be `held` for longer than a slow answer takes and is not. A harmless request may have been sent `before`.
 */
export async function onceLimited(
  { what, looks, harmless, real, passed }: Write,
  limit: 'held' | 'met',
  before: Answer | Promise<Answer> = harmless(),
): Promise<Answer | undefined> {
  const first = await before;
  const leftMs = retryAfterOf(first) ?? 0;
  if (limit === 'held' && (passes(first) || leftMs < 20 + 1.2 * first.elapsedMs)) return undefined;
  const refills = passes(first) || leftMs <= moment.mostMs || !(await holdsFor(looks, harmless, first, leftMs));
  const sent = refills ? await unlessBlocked(() => amongRefused(harmless, real)) : await real();
  if (sent === undefined) return undefined;
  // A gateway's answer says nothing about the limit.
  const answer = isGateways(sent) ? await real() : sent;
  if (!passes(answer)) return answer;
  passed();
  throw new Blocked(
    `${what} was answered ${summary(answer)} although requests of the same kind before and after it were answered 429: run the suite again`,
  );
}

/** The same for all writes that one caller's reset refuses: looked at once. */
function holdsFor(looks: Looks, harmless: Send, first: Answer, leftMs: number): Promise<boolean> {
  const { caller, receivedAt } = first.exchange;
  const resetAt = receivedAt + leftMs;
  const seen = looks.find((one) => one.caller === caller && Math.abs(one.resetAt - resetAt) <= sameResetMs);
  if (seen !== undefined) return seen.holds;
  const look = { caller, resetAt, holds: holds(harmless, first, leftMs / 2) };
  looks.push(look);
  return look.holds;
}

/** Whether all of several more requests are refused, and within that time after the first one. */
async function holds(harmless: Send, { exchange }: Answer, withinMs: number): Promise<boolean> {
  const answers = await atOnce(moment.look, (_, gate) => harmless(gate));
  return answers.every((answer) => !passes(answer) && answer.exchange.receivedAt <= exchange.receivedAt + withinMs);
}

/** The answer to the real request, which goes out when one that went out before it is refused; undefined if none is. */
async function amongRefused(harmless: Send, real: Send): Promise<Answer | undefined> {
  const { promise: refusal, resolve } = Promise.withResolvers<boolean>();
  const count = moment.ahead + moment.beside + 1;
  let ended = 0;
  const answers = await atOnce(count, async (index, gate) => {
    const isAhead = index < moment.ahead;
    const wait = async (): Promise<void> => {
      await gate();
      if (!isAhead && !(await refusal)) throw new Blocked('no request before it was refused');
    };
    try {
      const answer = await (index === count - 1 ? real : harmless)(wait);
      if (!passes(answer)) resolve(true);
      return answer;
    } finally {
      ended += 1;
      if (ended === moment.ahead) resolve(false);
    }
  });
  return answers.at(-1);
}

function passes({ status }: Answer): boolean {
  return status !== 429;
}

/** On a slow connection, a window may end before the write is sent. */
const mostAttempts = 3;

/** The 429 to a write for which the quota of its own operation was used up, by requests without effect. */
export async function limitedApart(api: Api, write: Write): Promise<Answer> {
  const probe = rateProbe(api, write.harmless);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const { result, passed, limited, refilled } = await exhaustEarly(probe, () => onceLimited(write, 'met'));
    if (passed + refilled.length === 0) await waitAsAsked(probe, limited.slice(-1));
    if (result !== undefined) return result;
  }
  throw new Blocked(`${write.what} was not answered 429, although other requests of the same kind were`);
}

/** The short waits that refused requests asked for although their limit held. */
export const shortWaitsIn = perRun((): RateLimit['waits'][] => []);

/** The longest such wait, in milliseconds. */
const shortWaitMs = 1000;

async function waitAsAsked(probe: RateProbe, refused: readonly Answer[]): Promise<void> {
  if ((retryAfterOf(refused[0]) ?? shortWaitMs) >= shortWaitMs) return;
  const waits = await waitQuietly(probe, { refused, accepted: undefined });
  shortWaitsIn(probe.api.session).push(waits);
}
