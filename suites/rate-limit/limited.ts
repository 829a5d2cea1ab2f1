import { untilCounted } from '../../stage/attachment/count-lag.ts';
import type { Answer } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { givenAttachable } from '../../stage/attachment/attachables.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { withThread } from '../../stage/chats/thread.ts';
import { takeListedDisposable } from '../../stage/deletion/disposables.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { shared } from '../../engine/fixture.ts';
import { type RateLimit, recordRateLimit, watchedLonger } from '../../stage/rate-limit/record-rate-limit.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import { noteProbed } from '../../stage/rate-limit/rate-probe.ts';
import type { Principal } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { Blocked } from '../../engine/verdict.ts';
import { waitsOfEarlyResets } from './early-resets.ts';
import { limitProbe, repetition } from './limit-probe.ts';
import { mustLeaveAlone, type WhenLimited } from './limited-message.ts';
import {
  attachmentWrite,
  deletionWrite,
  limitedApart,
  messageWrite,
  onceLimited,
  shortWaitsIn,
  type Write,
} from './limited-writes.ts';
import { readOperations } from '../access/access-matrix.ts';
import { givenOrganizationCount } from '../shared/count-untouched.ts';
import { guard, type Guarded } from '../shared/source-untouched.ts';
import { readablePlace, requestAt } from '../shared/place.ts';

/** A deletion that met a rate limit. */
export type LimitedDeletion = { readonly disposable: Guarded; readonly answer: Answer };

/** An attachment that met a rate limit, and organizationCount before it. */
type Unattached = { readonly attachable: Attachable; readonly countBefore: number };
type LimitedAttachment = Unattached & { readonly answer: Answer };

/**
 * A rate limit from the first 429 to its reset, and the writes that met it. Using a quota up takes most of the requests
 * and of the time of a run, so one limit serves many checks.
 */
export type Limited = {
  readonly limit: Settled<RateLimit>;
  /** Shows that a message refused by the limit left no trace. */
  readonly message: Settled<void>;
  /** The data source to delete. */
  readonly disposable: Settled<Guarded>;
  /** The 429 to its deletion; undefined if deletions have a separate limit. */
  readonly deletion: Settled<Answer | undefined>;
  /** The organization to attach. */
  readonly toAttach: Settled<Unattached>;
  /** The 429 to its attachment; undefined if attachments have a separate limit. */
  readonly attachment: Settled<Answer | undefined>;
};

/** Everything that meets the limit, found before the quota is used up, because this may read lists. */
type Prepared = {
  readonly chat: Settled<Chat>;
  readonly principal: Principal;
  readonly disposable: Settled<Guarded>;
  readonly toAttach: Settled<Unattached>;
  /** Sends a request that the principal may read. */
  readonly read: (operation: Operation) => Promise<Answer>;
};

/** What met the limit besides the message. */
type Met = Pick<Limited, 'deletion' | 'attachment'> & {
  /** Undefined if a read was not answered. */
  readonly early: Promise<Settled<readonly RateLimit['waits'][]>> | undefined;
};

export const givenLimited = shared(async (api: Api): Promise<Limited> => {
  const prepared = await prepare(api);
  const { chat, disposable, toAttach } = prepared;
  const probe = () => limitProbe(api, prepared);
  let limit: Settled<RateLimit> | undefined;
  let met: Met | undefined;
  const record = async (whenLimited: WhenLimited): Promise<void> => {
    const recorded = recordRateLimit(probe(), async (limited) => {
      met = await sendWhileLimited(api, prepared, limited, whenLimited);
    });
    limit = await settled(recorded);
    const waits = await met?.early;
    if (!limit.ok) throw limit.error;
    // Where the quota refills, requests of the probe may use up what one of these waited for.
    if (waits?.ok === true && limit.value.first.refilled.length === 0) shortWaitsIn(api.session).push(...waits.value);
  };

  const message = chat.ok ? await settled(mustLeaveAlone(api, chat.value, record)) : chat;
  // No message could be tried.
  if (limit === undefined) await settled(record(async () => {}));
  if (limit === undefined) throw new Error('the rate limit was not recorded');
  const { deletion = unmet, attachment = unmet } = met ?? {};
  return { limit: await watchedLonger(probe(), limit), message, disposable, deletion, toAttach, attachment };
});

const unmet = { ok: true, value: undefined } as const;

async function prepare(api: Api): Promise<Prepared> {
  const chat = await settled(givenChat(api));
  const admins = api.session.target.principals.filter(({ adminOf }) => adminOf.length > 0);
  const principal = chat.ok ? chat.value.admin : admins[0];
  if (principal === undefined) throw new Blocked('no principal is adminOf any organization');
  const disposable = await settled(givenOwnDisposable(api, principal));
  const toAttach = await settled(givenUnattached(api));
  const place = readablePlace(api, principal);
  const read = (operation: Operation) => requestAt(api, operation, as(principal), place, { patient: false });
  noteLists(api, await settled(read('listModels').then((answer) => [answer])));
  return { chat, principal, disposable, toAttach, read };
}

/** Sends each request that must not take effect, after a harmless one of its operation. */
async function sendWhileLimited(
  api: Api,
  { chat, principal, disposable, toAttach, read }: Prepared,
  limited: Answer,
  whenLimited: WhenLimited,
): Promise<Met> {
  const isAttachers = toAttach.ok && toAttach.value.attachable.admin.name === principal.name;
  const attaching = isAttachers ? attachmentWrite(api, toAttach.value.attachable) : undefined;
  const isOwn = disposable.ok && disposable.value.admin.name === principal.name;
  const deleting = isOwn ? deletionWrite(api, disposable.value) : undefined;
  const messaging = chat.ok ? messageWrite(api, chat.value) : undefined;
  const harmless = new Map<Operation, () => Promise<Answer>>([
    ...readOperations.map((operation) => [operation, () => read(operation)] as const),
    ...harmlessOf('sendMessage', messaging),
    ...harmlessOf('deleteDataSource', deleting),
    ...harmlessOf('attachOrganization', attaching),
  ]);
  // In parallel, because a window may be short and answers slow.
  const sent = new Map(harmless.entries().map(([operation, send]) => [operation, send()]));
  const answered = settled(Promise.all(sent.values()));
  const repeating = repetition(api, principal, chat.ok ? chat.value : undefined);
  const repeated = repeating && settled(repeating());
  const written = settled(
    whenLimited(async () => {
      const answer = await sent.get('sendMessage');
      if (messaging !== undefined && answer?.status === 429) return { send: messaging.harmless, answer };
      // What is invalid may be refused before anything is counted.
      const again = await repeated;
      const isRepeated = again?.ok === true && again.value.status === 429;
      return isRepeated && repeating !== undefined ? { send: repeating, answer: again.value } : undefined;
    }),
  );
  const attached = attaching && settled(onceLimited(attaching, 'held', sent.get('attachOrganization')));
  const deletion = deleting && (await settled(onceLimited(deleting, 'held', sent.get('deleteDataSource'))));
  await written;
  await repeated;
  const reads = await answered;
  noteLists(api, reads);
  return {
    deletion: deletion ?? unmet,
    attachment: (await attached) ?? unmet,
    // Not awaited here, because the probe keeps the quota used up meanwhile, which takes many requests.
    early: reads.ok ? settled(waitsOfEarlyResets(api, limited, reads.value, harmless)) : undefined,
  };
}

function harmlessOf(operation: Operation, write: Write | undefined): readonly [Operation, () => Promise<Answer>][] {
  return write === undefined ? [] : [[operation, () => write.harmless()]];
}

function noteLists(api: Api, read: Settled<readonly Answer[]>): void {
  if (read.ok) for (const answer of read.value) noteProbed(api, answer);
}

/** A deletion that met a limit: the recorded one, or one for which the quota of deletions was used up. */
export async function givenLimitedDeletion(api: Api): Promise<LimitedDeletion> {
  const { disposable, deletion } = await givenLimited(api);
  if (!disposable.ok) throw disposable.error;
  if (!deletion.ok) throw deletion.error;
  const answer = deletion.value ?? (await limitedApart(api, deletionWrite(api, disposable.value)));
  return { disposable: disposable.value, answer };
}

/** An attachment that met a limit: the recorded one, or one for which the quota of attachments was used up. */
export async function givenLimitedAttachment(api: Api): Promise<LimitedAttachment> {
  const { toAttach, attachment } = await givenLimited(api);
  if (!toAttach.ok) throw toAttach.error;
  if (!attachment.ok) throw attachment.error;
  const answer = attachment.value ?? (await limitedApart(api, attachmentWrite(api, toAttach.value.attachable)));
  return { ...toAttach.value, answer };
}

async function givenChat(api: Api): Promise<Chat> {
  if (!api.session.target.allow.has('messages')) {
    throw new Blocked('not allowed: add messages to allow in the target file');
  }
  // Of the admin who may attach, if possible, so that one quota serves all writes.
  const attacher = await unlessBlocked(async () => givenAttachable(api).admin);
  const ofAttacher = withThread(api, ({ admin }) => admin === attacher);
  const preferred = await unlessBlocked(() => givenIdleChat(api, ofAttacher));
  return preferred ?? givenIdleChat(api);
}

async function givenOwnDisposable(api: Api, { name }: Principal): Promise<Guarded> {
  if (!api.session.target.allow.has('deletions')) {
    throw new Blocked('not allowed: add deletions to allow in the target file');
  }
  return guard(api, await takeListedDisposable(api, ({ admin }) => admin.name === name));
}

async function givenUnattached(api: Api): Promise<Unattached> {
  if (!api.session.target.allow.has('attachments')) {
    throw new Blocked('not allowed: add attachments to allow in the target file');
  }
  const attachable = givenAttachable(api);
  await untilCounted(api.session);
  return { attachable, countBefore: await givenOrganizationCount(api, attachable) };
}
