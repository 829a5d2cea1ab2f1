import type { Attachable } from '../../core/attachables.ts';
import { discardAttachable } from '../../stage/attachment/attachables.ts';
import { seenLagMs } from '../../stage/attachment/count-lag.ts';
import { countWhen } from '../../stage/attachment/counts.ts';
import { rateLimitBody } from '../../promises/rate-limit.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { must } from '../../engine/answer.ts';
import { askedOf } from '../../core/route.ts';
import { type Api, as } from '../../engine/api.ts';
import { keyHeaders } from '../../engine/session/key-headers.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import { type QuietWait, waitingFailed, waitQuietly } from '../../stage/rate-limit/quiet-wait.ts';
import type { EarlyEnd } from '../../stage/rate-limit/early-ends.ts';
import type { RateLimit } from '../../stage/rate-limit/record-rate-limit.ts';
import type { Settled } from '../../engine/settled.ts';
import { type RateProbe, rateProbe } from '../../stage/rate-limit/rate-probe.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { givenOrganizationCount, mustNotCount } from '../shared/count-untouched.ts';
import { listAround, mustStillBeListed } from '../shared/source-untouched.ts';
import { shortWaitsIn } from './limited-writes.ts';
import { mustNotNameInstant } from './named-instants.ts';
import { mustStayFilled, mustStayGranted } from './probed-lists.ts';
import { givenLimited, givenLimitedAttachment, givenLimitedDeletion } from './limited.ts';
import { keyholder, readablePlace, requestAt } from '../shared/place.ts';

/** Other checks would wait while the quota is exhausted. All these checks judge the same recorded limit. */
const alone = { phase: 'rateLimit', uses: ['rateLimit'], on: 'listModels' } as const;

/** Section 7. */
export const rateLimiting: readonly Check[] = [
  check('rate.body', alone, async (api) => {
    const { limited } = await givenLimit(api);
    const { violation } = api.session.invariant('rate.body');
    if (violation !== undefined) throw violation;
    for (const answer of limited) {
      mustKeep(rateLimitBody, answer, answer);
    }
  }),

  // Any request may meet a limit, also where the run may not look for one.
  check('rate.body', { phase: 'rateLimit', on: 'listModels', variant: 'met', extended: true }, async (api) => {
    const { kept, violation } = api.session.invariant('rate.body');
    if (violation !== undefined) throw violation;
    if (kept === 0) throw new Blocked(whyNotMet(api));
  }),

  check('rate.honest', alone, async (api) => {
    const limit = await givenLimit(api);
    observeLimit(api, limit);
    await mustNotNameInstant(limit.limited, (refused) => probeLike(api, refused));
    mustHaveHelped(limit.waits);
    mustEndAsAnnounced(limit.wrongEnds ?? []);
  }),

  check('rate.counts-down', alone, async (api) => {
    const { resets, streak, cutShort, earlyEnd } = await givenLimit(api);
    if (earlyEnd !== undefined) throw endedEarly(earlyEnd);
    if (resets.kind === 'too-short') {
      const why = cutShort === undefined ? resets.reason : `${resets.reason}; ${cutShort}`;
      throw new Blocked(`the rate limit never held long enough to see retryAfterMs count down: ${why}`);
    }
    if (resets.kind === 'agreed') return;
    const { how, from, to } = resets;
    const apartMs = Math.round(to.sentAt - from.sentAt);
    const actual = `${from.retryAfterMs}, and ${apartMs} ms later ${to.retryAfterMs}: ${how}`;
    const [first, last] = [from, to].map(({ sentAt }) => streak.find(({ exchange }) => exchange.sentAt === sentAt));
    const evidence = [first, last].filter((answer) => answer !== undefined);
    must(false, 'retryAfterMs that counts down to one reset while requests are refused', actual, ...evidence);
  }),

  check(
    'rate.no-effect',
    {
      phase: 'rateLimit',
      uses: ['rateLimit', 'messages'],
      on: 'sendMessage',
    },
    async (api) => valueOf((await givenLimited(api)).message),
  ),

  check(
    'rate.no-effect',
    { phase: 'rateLimit', uses: ['rateLimit', 'deletions'], on: 'deleteDataSource' },
    async (api) => {
      const { disposable, answer } = await givenLimitedDeletion(api);
      await mustStillBeListed(api, disposable, await listAround(api, disposable), [answer]);
    },
  ),

  check(
    'attach.refused-no-effect',
    { phase: 'rateLimit', uses: ['rateLimit', 'attachments'], variant: 'limited', extended: true },
    async (api) => {
      const { attachable, answer, countBefore } = await givenLimitedAttachment(api);
      await api.session.clock.sleep(seenLagMs(api.session));
      const after = await givenOrganizationCount(api, attachable);
      if (after > countBefore) await givenNotCountedBefore(api, attachable, after);
      await mustNotCount(api, [attachable], { before: countBefore, refused: [answer], after });
    },
  ),

  // Applies even if exhausting a quota is not allowed: a limit met by chance must let requests pass again.
  check('rate.honest', { phase: 'rateLimit', on: 'listModels', variant: 'met', extended: true }, async (api) => {
    const met = api.session.sampled().filter(({ status }) => status === 429);
    await mustNotNameInstant(met, (refused) => probeLike(api, refused));
    for (const waits of shortWaitsIn(api.session)) mustHaveHelped(waits);
    const refused = api.session.sender.givenUp();
    if (refused !== undefined) {
      const held = { refused: [refused], accepted: undefined };
      mustHaveHelped(await waitQuietly(probeLike(api, refused), held));
      // The refusal itself may be stored, such as under its idempotency key.
      const same = sameMessage(api, refused);
      if (same !== undefined) mustHaveHelped(await waitQuietly(same, held));
      return;
    }
    const { kept, violation } = api.session.invariant('rate.body');
    if (kept > 0 || violation !== undefined) return;
    throw new Blocked(whyNotMet(api));
  }),

  check(
    'access.granted',
    {
      ...alone,
      variant: 'at-a-limit',
      extended: true,
    },
    async (api) => afterProbe(api, mustStayGranted),
  ),
  check(
    'paging.has-more',
    {
      ...alone,
      variant: 'at-a-limit',
      extended: true,
    },
    async (api) => afterProbe(api, mustStayFilled),
  ),
];

/** Blocked if attaching the organization still raises the count: then the refused request did not attach it, but another client another one. */
async function givenNotCountedBefore(api: Api, attachable: Attachable, count: number): Promise<void> {
  const { admin, billingAccountId, organizationId } = attachable;
  await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  discardAttachable(api, attachable);
  const counted = await countWhen(api, attachable, count + 1);
  if (counted !== undefined && counted > count)
    throw new Blocked(
      `organizationCount rose while ${organizationId} was not attached, and again with its attachment: other traffic attaches; run the suite against data that nothing else changes`,
    );
}

function whyNotMet({ session }: Api): string {
  return session.target.allow.has('rateLimit')
    ? 'no request met a rate limit'
    : 'not allowed: add rateLimit to allow in the target file';
}

const proviso = 'if no other client uses up the same quota meanwhile';

export function mustHaveHelped(waits: RateLimit['waits']): void {
  if (typeof waits === 'string') throw new Blocked(waits);
  const waited = waits.map(({ retryAfterMs }) => `${retryAfterMs} ms`).join(', then ');
  const evidence = waits.flatMap(({ refused, tried }) => [refused, tried]);
  const expected = `a request to pass after the wait that the 429 asked for (${proviso})`;
  must(!waitingFailed(waits), expected, `429 after each wait, of ${waited}`, ...evidence);
}

/** None of several windows lasts longer than the refusals in it announced. */
function mustEndAsAnnounced(wrong: readonly QuietWait[]): void {
  const expected = `a request to pass once the window is over that the 429 announced (${proviso})`;
  const actual = `in each of ${wrong.length} windows, 429 at that time to all of several requests or to one alone: ${wrong
    .map(({ retryAfterMs, tried }) => `${retryAfterMs} ms, then ${retryAfterOf(tried)} ms more`)
    .join('; ')}`;
  must(wrong.length === 0, expected, actual, ...wrong.flatMap(({ refused, tried }) => [refused, tried]));
}

/** A window that was over long before the refusals in it announced that. */
function endedEarly({ refused, accepted, passed }: EarlyEnd): Violation {
  const tookMs = Math.round(accepted.exchange.receivedAt - refused.exchange.receivedAt);
  const actual = `${retryAfterOf(refused)} ms announced, and requests that passed from ${tookMs} ms later on (${passed}), after a window like that`;
  return new Violation('retryAfterMs that counts down to the reset of the window', actual, [
    refused.exchange,
    accepted.exchange,
  ]);
}

/** A request of the same operation by the same principal, which changes nothing. */
function probeLike(api: Api, { exchange: { operation, caller } }: Answer): RateProbe {
  const principal = api.session.target.principals.find(({ name }) => name === caller) ?? keyholder(api);
  const place = readablePlace(api, principal);
  return rateProbe(api, () => requestAt(api, operation, as(principal), place, { patient: false }));
}

/** The refused request itself, where that is harmless: a message with a key, which is accepted once at most. */
function sameMessage(api: Api, { exchange }: Answer): RateProbe | undefined {
  const { caller, request } = exchange;
  const { body } = request;
  const asked = askedOf(exchange);
  const principal = api.session.target.principals.find(({ name }) => name === caller);
  const keys = keyHeaders(api.session).map((name) => request.headers[name]);
  const key = keys.find((value) => value !== undefined);
  if (asked?.operation !== 'sendMessage' || principal === undefined || key === undefined) return undefined;
  if (typeof body !== 'string') return undefined;
  const chat = { organizationId: asked.ownerId, chatId: asked.id };
  const wait = asked.query.get('wait')?.[0];
  return rateProbe(api, () => api.sendMessage(as(principal), chat, { body, key, wait }, { patient: false }));
}

/** Judges what the probe met, whether or not that was a limit. */
async function afterProbe(api: Api, judge: (api: Api) => Promise<void>): Promise<void> {
  await givenLimited(api);
  await judge(api);
}

async function givenLimit(api: Api): Promise<RateLimit> {
  return valueOf((await givenLimited(api)).limit);
}

/** The recording; throws the error that ended it. */
function valueOf<Value>(recorded: Settled<Value>): Value {
  if (recorded.ok) return recorded.value;
  throw recorded.error;
}

const notDetermined = 'not determined: the load profile rate-limit measures it';

function observeLimit(api: Api, { first }: RateLimit): void {
  const { observe } = api.session;
  const [answer] = first.limited;
  // Earlier requests used a part of this window, and the burst may reach into the next one.
  observe('rate.quota', notDetermined, answer?.exchange);
  observe('rate.window', notDetermined, answer?.exchange);
  const header = answer?.headers['retry-after'];
  observe('rate.retry-after', header === undefined ? 'absent' : 'present', answer?.exchange);
}
