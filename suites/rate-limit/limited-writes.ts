import { type Answer, summary } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked } from '../../engine/verdict.ts';
import { loseTrack } from '../../stage/chats/sending.ts';
import type { Attachable } from '../../core/attachables.ts';
import type { Disposable } from '../../stage/deletion/disposables.ts';
import { unknownIds } from '../../stage/lists/unknown-id.ts';
import { exhaustEarly, rateProbe, retryAfterOf, settled } from '../../stage/rate-limit/rate-probe.ts';

/**
 * If a 429 asks for at most this many milliseconds, the quota refills continuously: this many harmless requests are sent
 * before the real one to exhaust it.
 */
const moment = { mostMs: 150, ahead: 8 } as const;
/** The maximum number of harmless requests sent until one meets a known limit. */
const mostTries = 12;

/** A write that must not take effect, and a request of the same operation that never has an effect. */
type Write = {
  readonly what: string;
  readonly harmless: () => Promise<Answer>;
  readonly real: () => Promise<Answer>;
  readonly passed: () => void;
};

export function messageWrite(api: Api, chat: Chat): Write {
  const post = (message: string): Promise<Answer> =>
    api.sendMessage(as(chat.admin), chat, { message, key: api.freshKey() }, { patient: false });
  return {
    what: 'a message',
    harmless: () => post(''),
    real: () => post(api.session.target.assistant.slowPrompt),
    passed: () => loseTrack(api, chat),
  };
}

export function deletionWrite(api: Api, { organizationId, id, admin }: Disposable): Write {
  const [unknown] = unknownIds(api, id);
  const remove = (one: string): Promise<Answer> =>
    api.deleteDataSource(as(admin), organizationId, one, { patient: false });
  return { what: 'a deletion', harmless: () => remove(unknown), real: () => remove(id), passed: () => {} };
}

export function attachmentWrite(api: Api, { billingAccountId, organizationId, admin }: Attachable): Write {
  const [unknown] = unknownIds(api, organizationId);
  const attach = (one: string): Promise<Answer> =>
    api.attachOrganization(as(admin), billingAccountId, { organizationId: one }, { patient: false });
  return {
    what: 'an attachment',
    harmless: () => attach(unknown),
    real: () => attach(organizationId),
    passed: () => {},
  };
}

/**
 * The 429 to a write. Undefined, without sending it, if a harmless request of the same operation passes, or if the limit must
 * be `held` for longer than a slow answer takes and is not.
 */
export async function onceLimited(
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
  const sent = await real();
  // A gateway's answer says nothing about the limit.
  const answer = isGateways(sent) ? await real() : sent;
  await Promise.all(ahead);
  if (answer.status === 429) return answer;
  passed();
  throw new Blocked(
    `${what} was answered ${summary(answer)} although requests of the same kind before and after it were answered 429: run the suite again`,
  );
}

/** The 429 to a write for which the quota of its own operation was used up, by requests without effect. */
export async function limitedApart(api: Api, write: Write): Promise<Answer> {
  const { result } = await exhaustEarly(rateProbe(api, write.harmless), () => onceLimited(write, 'met'));
  if (result !== undefined) return result;
  throw new Blocked(`${write.what} was not answered 429, although other requests of the same kind were`);
}
