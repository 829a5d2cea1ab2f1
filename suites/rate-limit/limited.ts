import { untilCounted } from '../../stage/attachment/count-lag.ts';
import type { Answer } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { givenAttachable } from '../../stage/attachment/attachables.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenIdleChat, makeIdle } from '../../stage/chats/conversation.ts';
import { suspectKey, unrepeatedIn } from '../../stage/chats/latest-message.ts';
import { send } from '../../stage/chats/sending.ts';
import { withThread } from '../../stage/chats/thread.ts';
import { takeListedDisposable } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { confounderOf } from '../../stage/confounder.ts';
import { shared } from '../../engine/fixture.ts';
import { type RateLimit, recordRateLimit, watchedLonger } from '../../stage/rate-limit/record-rate-limit.ts';
import {
  listingProbe,
  noteProbed,
  type RateProbe,
  rateProbe,
  type Settled,
  settled,
} from '../../stage/rate-limit/rate-probe.ts';
import type { Principal } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { waitsOfEarlyResets } from './early-resets.ts';
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
import { mustLeaveChatAlone, type ShownBy } from '../shared/chat-untouched.ts';
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

/** What to do once the limit is met. It gets the answer to a harmless message that was sent at that moment. */
type WhenLimited = (harmless: Promise<Answer> | undefined) => Promise<void>;

export const givenLimited = shared(async (api: Api): Promise<Limited> => {
  const { target } = api.session;
  const found = await settled(givenChat(api));
  const chat = found.ok ? found.value : undefined;
  const principal = chat?.admin ?? target.principals.find(({ adminOf }) => adminOf.length > 0);
  if (principal === undefined) throw new Blocked('no principal is adminOf any organization');
  // Before the quota is used up, because this may read lists.
  const disposable = await settled(givenOwnDisposable(api, principal));
  const toAttach = await settled(givenUnattached(api));
  let attachment: Limited['attachment'] = { ok: true, value: undefined };
  let limit: Settled<RateLimit> | undefined;
  let early: Promise<Settled<readonly RateLimit['waits'][]>> | undefined;
  let deletion: Limited['deletion'] = { ok: true, value: undefined };
  const reader = [as(principal), readablePlace(api, principal), { patient: false }] as const;
  noteLists(api, await settled(requestAt(api, 'listModels', ...reader).then((answer) => [answer])));
  const probe = () => probeOf(api, principal, chat, disposable.ok ? disposable.value : undefined);
  const record = async (whenLimited: WhenLimited): Promise<void> => {
    const recorded = recordRateLimit(probe(), async (limited) => {
      const isAttachers = toAttach.ok && toAttach.value.attachable.admin.name === principal.name;
      const attaching = isAttachers ? attachmentWrite(api, toAttach.value.attachable) : undefined;
      const isOwn = disposable.ok && disposable.value.admin.name === principal.name;
      const deleting = isOwn ? deletionWrite(api, disposable.value) : undefined;
      const harmless = new Map<Operation, () => Promise<Answer>>([
        ...readOperations.map((operation) => [operation, () => requestAt(api, operation, ...reader)] as const),
        ...harmlessOf('sendMessage', chat && messageWrite(api, chat)),
        ...harmlessOf('deleteDataSource', deleting),
        ...harmlessOf('attachOrganization', attaching),
      ]);
      // In parallel, because a window may be short and answers slow.
      const sent = new Map(harmless.entries().map(([operation, send]) => [operation, send()]));
      const read = settled(Promise.all(sent.values()));
      const written = settled(whenLimited(sent.get('sendMessage')));
      const attached = attaching && settled(onceLimited(attaching, 'held', sent.get('attachOrganization')));
      if (deleting !== undefined) deletion = await settled(onceLimited(deleting, 'held', sent.get('deleteDataSource')));
      await written;
      await settled(repeatOldest(api, principal));
      const reads = await read;
      noteLists(api, reads);
      attachment = (await attached) ?? attachment;
      // Not awaited here, because the probe keeps the quota used up meanwhile, which takes many requests.
      if (reads.ok) early = settled(waitsOfEarlyResets(api, limited, reads.value, harmless));
    });
    limit = await settled(recorded);
    const waits = await early;
    if (!limit.ok) throw limit.error;
    // Where the quota refills, requests of the probe may use up what one of these waited for.
    if (waits?.ok === true && limit.value.first.refilled.length === 0) shortWaitsIn(api.session).push(...waits.value);
  };

  const message = chat === undefined ? found : await settled(mustLeaveAlone(api, chat, record));
  if (limit === undefined) await settled(record(async () => {}));
  if (limit === undefined) throw new Error('the rate limit was not recorded');
  return {
    limit: await watchedLonger(probe(), limit),
    message: message.ok ? { ok: true, value: undefined } : message,
    disposable,
    deletion,
    toAttach,
    attachment,
  };
});

function harmlessOf(operation: Operation, write: Write | undefined): readonly [Operation, () => Promise<Answer>][] {
  return write === undefined ? [] : [[operation, () => write.harmless()]];
}

/** The limit refuses a repetition, too. Its message must keep its key: idempotency.after/at-last repeats it again. */
async function repeatOldest(api: Api, { name }: Principal): Promise<void> {
  const oldest = unrepeatedIn(api.session).find(({ caller }) => caller.name === name);
  if (oldest === undefined) return;
  const { caller, chat, text: message, written, key } = oldest;
  await api.sendMessage(caller, chat, { message, ...written, key }, { patient: false });
  suspectKey(api.session, key);
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

/** A queue carries out within this time what was refused, in milliseconds. */
const queuedMs = 3000;

/** The message that meets the limit has the slow prompt, so that a chat that processes it is visibly busy. */
async function leaveAlone(api: Api, chat: Chat, record: (whenLimited: WhenLimited) => Promise<void>): Promise<void> {
  const { clock, target } = api.session;
  const key = api.freshKey();
  const write = messageWrite(api, chat, key);
  let elapsedMs = 0;
  const intrude = async (shownBy: ShownBy): Promise<readonly Answer[]> => {
    const writes: Settled<Answer | undefined>[] = [];
    await record(async (first) => void writes.push(await settled(onceLimited(write, 'held', first))));
    const [written] = writes;
    if (written?.ok === false) throw written.error;
    const answer = written?.value ?? (await limitedApart(api, write));
    // A conflict shows only while the assistant would be responding, a parent at any time.
    if (shownBy === 'parent') await clock.sleep(answer.exchange.receivedAt + queuedMs - clock.now());
    elapsedMs = clock.now() - answer.exchange.sentAt;
    return [answer];
  };
  const shows = await mustLeaveChatAlone(api, chat, intrude, (shownBy) => (shownBy === 'parent' ? key : undefined));
  if (shows === 'parent') return;
  // The chat gets the same prompt now: if it is not busy for as long after that, it would not have been visibly busy before.
  await clock.sleep(elapsedMs);
  const late = await send(api, chat, { message: target.assistant.quickPrompt });
  if (late.status === 409) return;
  throw new Blocked(
    'messages have no parentId, and the window outlasts the response to assistant.slowPrompt: make it slower',
  );
}

/** The repeated request: a harmless write if this run met a limit on writes but none on lists. */
function probeOf(
  api: Api,
  principal: Principal,
  chat: Chat | undefined,
  disposable: Disposable | undefined,
): RateProbe {
  const limited = new Set(
    api.session.sampled().flatMap(({ status, exchange }) => (status === 429 ? [exchange.operation] : [])),
  );
  if (limited.has('listModels')) return listingProbe(api, principal);
  if (limited.has('sendMessage') && chat !== undefined) return rateProbe(api, messageWrite(api, chat).harmless);
  const isOwn = disposable?.admin.name === principal.name;
  if (limited.has('deleteDataSource') && isOwn) return rateProbe(api, deletionWrite(api, disposable).harmless);
  return listingProbe(api, principal);
}

/**
 * A violation must be seen twice: another client may have written to the chat at that moment, and not since. A later judge has no chat
 * to look for a confounder in, so this looks for one.
 */
async function mustLeaveAlone(
  api: Api,
  chat: Chat,
  record: (whenLimited: WhenLimited) => Promise<void>,
): Promise<void> {
  try {
    await leaveAlone(api, chat, record);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const confounder = await confounderOf(api, error.evidence, true);
    if (confounder !== undefined) throw new Blocked(confounder);
    const again = await settled(makeIdle(api, chat).then(() => leaveAlone(api, chat, async () => {})));
    if (!again.ok && !(again.error instanceof Blocked)) throw again.error;
    const why = again.ok || !(again.error instanceof Blocked) ? 'it did not happen again' : again.error.message;
    throw new Blocked(`violated once (expected ${error.expected}; got ${error.actual}) and not confirmed: ${why}`);
  }
}
