import { type Api, as } from '../../engine/api.ts';
import { giveBack } from '../../stage/chats/conversation.ts';
import { during } from '../../engine/at-once.ts';
import { shared } from '../../engine/fixture.ts';
import type { OutageKind } from '../../core/outages.ts';
import type { Answer } from '../../core/exchange.ts';
import { paths } from '../../core/paths.ts';
import type { SideEffect } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Attachable } from '../../core/attachables.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { untilCounted } from '../../stage/attachment/count-lag.ts';
import { accountAtOnce, countIn, countWhen } from '../../stage/attachment/counts.ts';
import { fateOf, givenAcceptedDeletion, listUntilGone } from '../../stage/deletion/deletion.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import { type QuietWait, recover, waitQuietly } from '../../stage/rate-limit/quiet-wait.ts';
import { settled } from '../../engine/settled.ts';
import { exhaust, listingProbe } from '../../stage/rate-limit/rate-probe.ts';
import { beginReads, readRefused, type Reads, readShown } from './reads.ts';
import { beginConversation, type Conversation, endConversation, sendMeanwhile } from './conversation.ts';

/** What still exists after an outage. If something could not be read, its getter throws the error that prevented it. */
export type Outage = {
  /** As words that follow "after". */
  readonly name: string;
  readonly conversation: () => Conversation;
  readonly deleted: () => { readonly disposable: Disposable; readonly walk: Walk };
  readonly attached: () => Attached & Counts;
  readonly reads: Reads;
  /** Whether another node or process answers since then, whose copies may lag. */
  readonly isElsewhere: boolean;
  /** Waits for the end of a rate limit, or why there are none; undefined if the clock did not go back. */
  readonly waits: () => readonly QuietWait[] | string | undefined;
};

type Attached = { readonly attachable: Attachable; readonly count: number };

/** organizationCount after the outage and, unless the attachment was lost, after the same organization was attached again. */
type Counts = {
  readonly after: number | undefined;
  readonly repeated: { readonly answer: Answer; readonly count: number | undefined } | undefined;
};

type Way = {
  /** What the deployment cannot do without its hook. */
  readonly missing: string;
  /** Each outage of a run: its name, and the seconds that its hook gets. */
  readonly each: readonly { readonly name: string; readonly seconds: number }[];
};

/** By how much the clock is moved, in seconds: more than clocks usually differ, and less than tokens and keys last. */
const movedSeconds = 300;

const ways: Readonly<Record<OutageKind, Way>> = {
  pause: { missing: 'be paused', each: [{ name: 'the pause', seconds: 10 }] },
  clock: {
    missing: 'move its clock',
    // Back first, so that nothing of the deployment is left in the future at the end.
    each: [
      { name: 'its clock was moved back', seconds: -movedSeconds },
      { name: 'its clock was moved forward', seconds: movedSeconds },
    ],
  },
  failover: { missing: 'fail over', each: [{ name: 'the failover', seconds: 0 }] },
  restart: { missing: 'be restarted', each: [{ name: 'the restart', seconds: 0 }] },
};

/**
 * How often a rate limit may refuse the first request after an outage, with growing pauses of 13 s in all. A limit that follows the
 * wall clock may hold until the clock is moved forward again, and until then waiting does not help.
 */
const limitedTries = 9;

/** How long the deployment may take to answer again, in milliseconds. */
const upWithinMs = 120_000;

/** The outages of a kind, recorded once in a run for every check that judges them. Blocked if there is no hook for it. */
const recorder = (kind: OutageKind) =>
  shared(async (api: Api): Promise<readonly Outage[]> => {
    const { missing, each } = ways[kind];
    const act = api.session.outages[kind];
    if (act === undefined) {
      const remedy = `set hooks.${kind} in the target file to a command that does`;
      throw new Blocked(`the deployment cannot ${missing}: ${remedy}`);
    }
    const recorded = [];
    // A clock that was moved back is moved forward again, whatever happened meanwhile.
    for (const { name, seconds } of each) recorded.push(await attempted(() => record(api, kind, name, seconds, act)));
    return recorded.map((outage) => outage());
  });

const recorders = {
  pause: recorder('pause'),
  clock: recorder('clock'),
  failover: recorder('failover'),
  restart: recorder('restart'),
} as const satisfies Readonly<Record<OutageKind, unknown>>;

export function givenOutages(api: Api, kind: OutageKind): Promise<readonly Outage[]> {
  return recorders[kind](api);
}

async function record(
  api: Api,
  kind: OutageKind,
  name: string,
  seconds: number,
  act: (seconds: number) => Promise<void>,
): Promise<Outage> {
  const deleted = await attempted(() => allowed(api, 'deletions', givenDeleted));
  const attached = await attempted(() => allowed(api, 'attachments', givenAttached));
  const reading = await beginReads(api);
  // Last, because its response must still be generating.
  const begun = await attempted(() => allowed(api, 'messages', beginConversation));
  const [, sent] = await during(
    act(seconds),
    attempted(async () => sendMeanwhile(api, begun())),
  );
  await untilUp(api, name);
  const refused = await readRefused(api, reading);
  const conversation = await attempted(async () =>
    endConversation(api, begun(), sent(), { judgesAfter: kind === 'restart' }),
  );
  // The next outage needs a chat as well, and only one may be declared.
  for (const chat of api.leased.toReversed()) giveBack(api, chat);
  return {
    name,
    isElsewhere: seconds === 0,
    conversation,
    deleted: await attempted(async () => ({ disposable: deleted(), walk: await listUntilGone(api, deleted()) })),
    attached: await attempted(async () => attachAgain(api, attached())),
    reads: { refused, ...(await readShown(api, reading)) },
    // Last, because later requests would wait. Only a clock that goes back makes a window longer.
    waits: await attempted(async () => (seconds < 0 ? allowed(api, 'rateLimit', waitForLimit) : undefined)),
  };
}

/** Returns a function that returns the result or rethrows its error. */
async function attempted<Value>(make: () => Promise<Value>): Promise<() => Value> {
  const made = await settled(Promise.resolve().then(make));
  return () => {
    if (made.ok) return made.value;
    throw made.error;
  };
}

function allowed<Value>(api: Api, effect: SideEffect, make: (api: Api) => Promise<Value>): Promise<Value> {
  if (api.session.target.allow.has(effect)) return make(api);
  throw new Blocked(`not allowed: add ${effect} to allow in the target file`);
}

/** Blocked if the deployment does not answer again, or no longer accepts the key. */
async function untilUp(api: Api, name: string): Promise<void> {
  const { sender, target } = api.session;
  const [principal] = target.principals;
  if (principal === undefined) throw new Blocked('no principal is declared');
  const organization = principal.adminOf[0] ?? target.organizations[0]?.id ?? 'awc';
  const isUp = await sender.untilUp(
    {
      method: 'GET',
      path: paths.dataSources(organization, { limit: 1 }),
      headers: { authorization: as(principal).authorization ?? '' },
      timeoutMs: 5000,
    },
    upWithinMs,
  );
  if (!isUp) throw new Blocked(`the deployment did not answer within ${upWithinMs / 1000} s after ${name}`);
  const { status } = await api.listDataSources(as(principal), organization, { limit: 1 }, { tries: limitedTries });
  if (status === 401) throw new Blocked(`the key of ${principal.name} is not accepted after ${name}`);
}

async function givenDeleted(api: Api): Promise<Disposable> {
  const { disposable } = await givenAcceptedDeletion(api);
  const { items } = await listUntilGone(api, disposable);
  if (fateOf(items, disposable) !== 'as before') return disposable;
  throw new Blocked('the deletion had no effect before either: delete.gone-or-marked judges that');
}

async function givenAttached(api: Api): Promise<Attached> {
  const { attachable, attached } = await givenAcceptedAttachment(api);
  const counted = attached.find(({ countBefore = 0, countAfter = 0 }) => countAfter > countBefore);
  // All copies may lag behind a later attachment, and one of them behind the others.
  await untilCounted(api.session);
  const counts = (await accountAtOnce(api, attachable)).flatMap((answer) => countIn(answer) ?? []);
  const count = Math.max(...counts);
  if (counted !== undefined && counts.length > 0)
    return { attachable: { ...attachable, organizationId: counted.organizationId }, count };
  throw new Blocked('the attachment was not counted before either: attach.count judges that');
}

async function attachAgain(api: Api, attached: Attached): Promise<Attached & Counts> {
  const { attachable, count } = attached;
  const { admin, billingAccountId, organizationId } = attachable;
  const after = await countWhen(api, attachable, count);
  if (after !== count) return { ...attached, after, repeated: undefined };
  const answer = await api.attachOrganization(as(admin), billingAccountId, { organizationId });
  return { ...attached, after, repeated: { answer, count: await countWhen(api, attachable, after) } };
}

async function waitForLimit(api: Api): Promise<readonly QuietWait[] | string> {
  const principal = api.session.target.principals.find(({ adminOf }) => adminOf.length > 0);
  if (principal === undefined) throw new Blocked('no principal is adminOf any organization');
  const probe = listingProbe(api, principal);
  const { result } = await exhaust(probe, async (limited) => limited);
  const waits = await waitQuietly(probe, { refused: [result], accepted: undefined });
  await recover(probe);
  return waits;
}
