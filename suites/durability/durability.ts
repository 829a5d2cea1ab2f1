import { must, mustEqual } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { countWhen } from '../../stage/attachment/attachment.ts';
import { check, type Check } from '../../engine/check.ts';
import { tooFast } from '../../stage/chats/conversation.ts';
import { fateOf, listUntilGone } from '../../stage/deletion/deletion.ts';
import { at } from '../../core/json.ts';
import { givenStillCount } from '../../stage/lists/stillness.ts';
import { describe } from '../../core/text.ts';
import { parentIn } from '../../stage/chats/thread.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenRestart } from './restart.ts';
import { isSame, mustBeSame } from '../messages/same-messages.ts';

/** The deployment is restarted once; all these checks judge the result. */
const phase = 'restart';

/** What an answer promised outlasts the process that gave it. */
export const durability: readonly Check[] = [
  check(
    'durability.messages',
    async (api) => {
      const { first, second, last, next, again } = (await givenRestart(api)).conversation();
      if (!isSuccess(next)) throw new Blocked(`the chat accepts no message after the restart: ${summary(next)}`);
      if (parentIn(second.answer, first) === undefined) {
        // Messages have no parentId: the message exists if its key finds it again.
        const isFound = again.every(({ sent, answer }) => isSame(sent, answer));
        if (!isFound) throw new Blocked('neither parentId nor a repeated request shows what happened to the messages');
        return;
      }
      // The restart may have discarded the interrupted response; then the parent is the question.
      if (parentIn(next, last) !== undefined) return;
      const parent = at(next.json, 'data', 'userMessage', 'parentId');
      const isLost = !parent || parentIn(next, first) !== undefined || parentIn(next, second) !== undefined;
      if (!isLost) throw new Blocked('the parentId of the next message names a message that this check did not send');
      const follows = 'the next message to follow the last one before the restart';
      must(false, follows, `parentId ${describe(parent)}`, last.answer, next);
    },
    { phase, uses: ['messages'] },
  ),

  check(
    'durability.keys',
    async (api) => {
      const { last, repeatable, again } = (await givenRestart(api)).conversation();
      if (!repeatable) throw new Blocked('the key is forgotten even without a restart: idempotency.later judges that');
      for (const { sent, answer } of again) {
        if (sent !== last) mustBeSame(sent, answer, 'after the restart');
        else {
          // The response may have started again with a new ID.
          const id = at(answer.json, 'data', 'userMessage', 'id');
          const what = 'for the same key after the restart userMessage.id';
          mustEqual(id, sent.userMessageId, what, sent.answer, answer);
        }
      }
    },
    { phase, uses: ['messages'] },
  ),

  check(
    'durability.chats',
    async (api) => {
      const { last, next } = (await givenRestart(api)).conversation();
      if (last.answer.status === 200) throw new Blocked(tooFast);
      const { timeoutSeconds } = api.session.target.assistant;
      const seconds = Math.round((next.exchange.receivedAt - last.answer.exchange.receivedAt) / 1000);
      if (next.status === 409 && seconds < timeoutSeconds)
        throw new Blocked(
          `still busy after ${seconds} s, and not observed for longer: earlier chats stayed busy until the end of the wait`,
        );
      const free = `a chat that takes a message again within ${timeoutSeconds} s of the restart`;
      must(next.status !== 409, free, summary(next), last.answer, next);
    },
    { phase, uses: ['messages'] },
  ),

  check(
    'durability.deletions',
    async (api) => {
      const disposable = (await givenRestart(api)).deleted();
      const { items, pages } = await listUntilGone(api, disposable);
      const shows = pages.find((page) => page.items.some(({ id }) => id === disposable.id));
      const still = `data source ${describe(disposable.id)} gone or marked after the restart, as it was before`;
      const isBack = fateOf(items, disposable) === 'as before';
      must(!isBack, still, 'still listed without a deletion mark', ...(shows === undefined ? [] : [shows.answer]));
    },
    { phase, uses: ['deletions'] },
  ),

  check(
    'durability.attachments',
    async (api) => {
      const { attachable, count } = (await givenRestart(api)).attached();
      const after = await countWhen(api, attachable, count);
      if (after !== count) await givenStillCount(api, attachable.billingAccountId);
      must(after === count, `organizationCount still ${count} after the restart`, `${after ?? 'none'}`);
    },
    { phase, uses: ['attachments'] },
  ),
];
