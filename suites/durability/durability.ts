import { must, mustEqual } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check, type CheckOptions } from '../../engine/check.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { chatsOf } from '../../engine/session/seen-messages.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import type { OutageKind } from '../../core/outages.ts';
import { describe } from '../../core/text.ts';
import { parentIn } from '../../stage/chats/thread.ts';
import { givenChat, readSent, tooFast } from '../../stage/chats/conversation.ts';
import { fateOf } from '../../stage/deletion/deletion.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { isSame, mustBeSame } from '../messages/same-messages.ts';
import { namesParents } from './conversation.ts';
import { givenOutages, type Outage } from './outage.ts';

export type Judge = (api: Api, outage: Outage) => void | Promise<void>;

/** A check of each outage of that kind. */
export function afterOutage(id: RequirementId, kind: OutageKind, options: CheckOptions, judge: Judge): Check {
  const run = async (api: Api): Promise<void> => {
    for (const outage of await givenOutages(api, kind)) {
      try {
        await judge(api, outage);
      } catch (error) {
        // The recording gave its chat back. Other traffic in a chat is looked for only in those of the check that failed.
        if (error instanceof Violation && error.evidence.some(({ operation }) => operation === 'sendMessage'))
          await unlessBlocked(() => givenChat(api, (chat) => chat === outage.conversation().last.chat));
        throw error;
      }
    }
  };
  return check(id, { phase: 'outage', ...options }, run);
}

/** What an answer promised outlasts the process that gave it. */
const lasting = (kind: 'failover' | 'restart', options: CheckOptions): readonly Check[] => [
  afterOutage('durability.messages', kind, { ...options, uses: ['messages'] }, mustFollow),
  afterOutage('durability.keys', kind, { ...options, uses: ['messages'] }, mustKnowKeys),
  afterOutage('durability.chats', kind, { ...options, uses: ['messages'] }, mustBecomeFree),
  afterOutage('durability.deletions', kind, { ...options, uses: ['deletions'] }, mustStayDeleted),
  afterOutage('durability.attachments', kind, { ...options, uses: ['attachments'] }, mustStayAttached),
];

/** One check of each requirement of durability needs a restart, all others are extended. */
export const durability: readonly Check[] = [
  ...lasting('failover', { variant: 'failover', extended: true }),
  ...lasting('restart', {}),
];

export function mustFollow(api: Api, { name, conversation }: Outage): void {
  const seen = conversation();
  const { last, next, afterNext, again, meanwhile } = seen;
  if (!isSuccess(next)) throw new Blocked(`the chat accepts no message after ${name}: ${summary(next)}`);
  if (!namesParents(seen)) {
    // Messages have no parentId: the message exists if its key finds it again.
    const isFound = again.every(({ sent, answer }) => isSame(sent, answer));
    if (!isFound) throw new Blocked('neither parentId nor a repeated request shows what happened to the messages');
    return;
  }
  // The outage may have discarded the interrupted response; then the parent is the question.
  const later = meanwhile.flatMap(({ sent }) => sent ?? []);
  const accepted = [next, ...(afterNext !== undefined && isSuccess(afterNext) ? [afterNext] : [])];
  const since = [last, ...later, ...accepted.map((answer) => readSent(last.chat, '', '', answer))];
  for (const answer of [...later.map((sent) => sent.answer), next]) {
    if (since.some((sent) => parentIn(answer, sent) !== undefined)) continue;
    const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId');
    if (parent !== undefined && parent !== '' && !chatsOf(api.session, parent).has(last.chat.chatId))
      throw new Blocked('the parentId of a later message names a message that this run did not send');
    const follows = `the next message to follow the last one before ${name}`;
    must(false, follows, `parentId ${describe(parent)}`, last.answer, answer);
  }
}

export function mustKnowKeys(_api: Api, { name, conversation }: Outage): void {
  const { last, repeatable, again } = conversation();
  if (!repeatable) throw new Blocked('the key was already lost before the outage: idempotency.later judges that');
  for (const { sent, answer } of again) {
    if (sent !== last) mustBeSame(sent, answer, `after ${name}`);
    else {
      // The response may have started again with a new ID.
      const id = at(answer.json, 'data', 'userMessage', 'id');
      mustEqual(id, sent.userMessageId, `for the same key after ${name} userMessage.id`, sent.answer, answer);
    }
  }
}

export function mustBecomeFree(api: Api, { name, conversation }: Outage): void {
  const { last, next } = conversation();
  if (last.answer.status === 200) throw new Blocked(tooFast);
  const { timeoutSeconds } = api.session.target.assistant;
  const seconds = Math.round((next.exchange.receivedAt - last.answer.exchange.receivedAt) / 1000);
  if (next.status === 409 && seconds < timeoutSeconds)
    throw new Blocked(
      `still busy after ${seconds} s, and not observed for longer: earlier chats stayed busy until the end of the wait`,
    );
  const free = `a chat that takes a message again within ${timeoutSeconds} s after ${name}`;
  must(next.status !== 409, free, summary(next), last.answer, next);
}

export async function mustStayDeleted(_api: Api, { name, deleted }: Outage): Promise<void> {
  const { disposable, walk } = deleted();
  const shows = walk.pages.find((page) => page.items.some(({ id }) => id === disposable.id));
  const still = `data source ${describe(disposable.id)} gone or marked after ${name}, as it was before`;
  const isBack = fateOf(walk.items, disposable) === 'as before';
  must(!isBack, still, 'still listed without a deletion mark', ...(shows === undefined ? [] : [shows.answer]));
}

async function mustStayAttached(api: Api, { name, attached }: Outage): Promise<void> {
  const { attachable, count, after } = attached();
  if (after !== count) await givenStillCount(api, attachable.billingAccountId);
  if (after !== undefined && after > count)
    throw new Blocked(`organizationCount rose from ${count} to ${after}: another client attached an organization`);
  must(after === count, `organizationCount still ${count} after ${name}`, `${after ?? 'none'}`);
}
