import { type Answer, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenIdleChat, send } from '../../stage/chats/conversation.ts';
import { type Disposable, takeDisposable } from '../../stage/deletion/disposables.ts';
import { confounderOf } from '../../stage/confounder.ts';
import { shared } from '../../engine/fixture.ts';
import { type RateLimit, recordRateLimit } from '../../stage/rate-limit/record-rate-limit.ts';
import {
  exhaustEarly,
  listingProbe,
  type RateProbe,
  rateProbe,
  retryAfterOf,
  type Settled,
  settled,
} from '../../stage/rate-limit/rate-probe.ts';
import type { Principal } from '../../core/target.ts';
import { unknownIds } from '../../stage/lists/unknown-id.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { readOperations } from '../access/access-matrix.ts';
import { listAround, mustLeaveChatAlone } from '../shared/left-alone.ts';
import { readablePlace, requestAt } from '../shared/place.ts';

/**
 * If a 429 asks for at most this many milliseconds, the quota refills continuously: this many harmless requests are sent
 * before the real one to exhaust it.
 */
const moment = { mostMs: 150, ahead: 8 } as const;
/** The maximum number of harmless requests sent until one meets a known limit. */
const mostTries = 12;

/** A deletion that met a rate limit. */
export type LimitedDeletion = { readonly disposable: Disposable; readonly answer: Answer };

/**
 * A rate limit from the first 429 to its reset, and the writes that met it. Using a quota up takes most of the requests
 * and of the time of a run, so one limit serves many checks.
 */
export type Limited = {
  readonly limit: Settled<RateLimit>;
  /** Shows that a message refused by the limit left no trace. */
  readonly message: Settled<void>;
  /** The data source to delete. */
  readonly disposable: Settled<Disposable>;
  /** The 429 to its deletion; undefined if deletions have a separate limit. */
  readonly deletion: Settled<Answer | undefined>;
};

export const givenLimited = shared(async (api: Api): Promise<Limited> => {
  const { target } = api.session;
  const found = await settled(givenChat(api));
  const chat = found.ok ? found.value : undefined;
  const principal = chat?.admin ?? target.principals.find(({ adminOf }) => adminOf.length > 0);
  if (principal === undefined) throw new Blocked('no principal is adminOf any organization');
  // Before the quota is used up, because this may read lists.
  const disposable = await settled(givenOwnDisposable(api, principal));
  let limit: Settled<RateLimit> | undefined;
  let deletion: Limited['deletion'] = { ok: true, value: undefined };
  const reader = [as(principal), readablePlace(api, principal), { patient: false }] as const;
  const record = async (whenLimited: () => Promise<void>): Promise<void> => {
    const probe = probeOf(api, principal, chat, disposable.ok ? disposable.value : undefined);
    const recorded = recordRateLimit(probe, async () => {
      // In parallel, because a window may be short and answers slow. For reads, only the form of the 429 is judged.
      const written = settled(whenLimited());
      const read = settled(Promise.all(readOperations.map((operation) => requestAt(api, operation, ...reader))));
      const isOwn = disposable.ok && disposable.value.admin.name === principal.name;
      if (isOwn) deletion = await settled(onceLimited(deletionWrite(api, disposable.value), 'held'));
      await written;
      await read;
    });
    limit = await settled(recorded);
    if (!limit.ok) throw limit.error;
  };

  const message =
    chat === undefined ? found : await settled(unlessConfounded(api, () => leaveAlone(api, chat, record)));
  if (limit === undefined) await settled(record(async () => {}));
  if (limit === undefined) throw new Error('the rate limit was not recorded');
  return { limit, message: message.ok ? { ok: true, value: undefined } : message, disposable, deletion };
});

/** A deletion that met a limit: the recorded one, or one for which the quota of deletions was used up. */
export async function givenLimitedDeletion(api: Api): Promise<LimitedDeletion> {
  const { disposable, deletion } = await givenLimited(api);
  if (!disposable.ok) throw disposable.error;
  if (!deletion.ok) throw deletion.error;
  const answer = deletion.value ?? (await limitedApart(api, deletionWrite(api, disposable.value)));
  return { disposable: disposable.value, answer };
}

async function givenChat(api: Api): Promise<Chat> {
  if (api.session.target.allow.has('messages')) return givenIdleChat(api);
  throw new Blocked('not allowed: add messages to allow in the target file');
}

async function givenOwnDisposable(api: Api, { name }: Principal): Promise<Disposable> {
  if (!api.session.target.allow.has('deletions')) {
    throw new Blocked('not allowed: add deletions to allow in the target file');
  }
  const disposable = await takeDisposable(api, ({ admin }) => admin.name === name);
  // It was listed when the run began; another client may have deleted it since.
  const { items, complete } = await listAround(api, disposable);
  if (!complete || items.some(({ id }) => id === disposable.id)) return disposable;
  throw new Blocked(
    `data source ${disposable.id} was deleted by something other than this run: do not let two runs overlap`,
  );
}

/** The message that meets the limit has the slow prompt, so that a chat that processes it is visibly busy. */
async function leaveAlone(
  api: Api,
  chat: Chat,
  record: (whenLimited: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { clock, target } = api.session;
  const write = messageWrite(api, chat);
  let elapsedMs = 0;
  const shows = await mustLeaveChatAlone(api, chat, async () => {
    const writes: Settled<Answer | undefined>[] = [];
    await record(async () => void writes.push(await settled(onceLimited(write, 'held'))));
    const [written] = writes;
    if (written?.ok === false) throw written.error;
    const answer = written?.value ?? (await limitedApart(api, write));
    elapsedMs = clock.now() - answer.exchange.sentAt;
    return [answer];
  });
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

/** The result of `attempt`. A later judge has no chat to look for a confounder in, so this looks for one. */
async function unlessConfounded<Value>(api: Api, attempt: () => Promise<Value>): Promise<Value> {
  try {
    return await attempt();
  } catch (error) {
    const confounder = error instanceof Violation ? await confounderOf(api, error.evidence) : undefined;
    throw confounder === undefined ? error : new Blocked(confounder);
  }
}

/** A write that must not take effect, and a request of the same operation that never has an effect. */
type Write = {
  readonly what: string;
  readonly harmless: () => Promise<Answer>;
  readonly real: () => Promise<Answer>;
  readonly passed: () => void;
};

function messageWrite(api: Api, chat: Chat): Write {
  const post = (message: string): Promise<Answer> =>
    api.sendMessage(as(chat.admin), chat, { message, key: api.freshKey() }, { patient: false });
  return {
    what: 'a message',
    harmless: () => post(''),
    real: () => post(api.session.target.assistant.slowPrompt),
    passed: () => api.session.chats.mark(chat, 'unknown'),
  };
}

function deletionWrite(api: Api, { organizationId, id, admin }: Disposable): Write {
  const [unknown] = unknownIds(api, id);
  const remove = (one: string): Promise<Answer> =>
    api.deleteDataSource(as(admin), organizationId, one, { patient: false });
  return { what: 'a deletion', harmless: () => remove(unknown), real: () => remove(id), passed: () => {} };
}

/**
 * The 429 to a write. Undefined, without sending it, if a harmless request of the same operation passes, or if the limit must
 * be `held` for longer than a slow answer takes and is not.
 */
async function onceLimited(
  { what, harmless, real, passed }: Write,
  limit: 'held' | 'met',
): Promise<Answer | undefined> {
  let first = await harmless();
  // A quota that refills faster than answers arrive needs ever more requests to stay exhausted.
  for (let tries = 1; limit === 'met' && first.status !== 429 && tries < mostTries; tries += 1)
    first = await harmless();
  if (first.status !== 429) return undefined;
  const leftMs = retryAfterOf(first) ?? 0;
  if (limit === 'held' && leftMs < 20 + 1.2 * first.elapsedMs) return undefined;
  const ahead = Array.from({ length: leftMs <= moment.mostMs ? moment.ahead : 0 }, () => settled(harmless()));
  const answer = await real();
  await Promise.all(ahead);
  if (answer.status === 429) return answer;
  passed();
  throw new Blocked(
    `${what} was answered ${summary(answer)} although requests of the same kind before and after it were answered 429: run the suite again`,
  );
}

/** The 429 to a write for which the quota of its own operation was used up, by requests without effect. */
async function limitedApart(api: Api, write: Write): Promise<Answer> {
  const { result } = await exhaustEarly(rateProbe(api, write.harmless), () => onceLimited(write, 'met'));
  if (result !== undefined) return result;
  throw new Blocked(`${write.what} was not answered 429, although other requests of the same kind were`);
}
