import { must } from '../harness/answer.ts';
import { check, type Check } from '../harness/check.ts';
import { givenFinished, givenPair } from '../harness/conversation.ts';
import type { Answer } from '../harness/exchange.ts';
import { stringAt } from '../harness/json.ts';
import { givenAccepted } from '../harness/message-sample.ts';
import { describe } from '../harness/text.ts';
import { Blocked } from '../harness/verdict.ts';

const uses = ['messages'] as const;

/** Section 2.4: which message a message may follow, where it says so. */
export const messageParents: readonly Check[] = [
  check(
    'messages.parent-in-chat',
    async (api) => {
      let judged = 0;
      for (const answer of await givenAccepted(api)) {
        const [user, assistant] = [idOf(answer, 'userMessage'), idOf(answer, 'assistantMessage')];
        if (user === assistant) throw new Blocked('two messages have one ID: messages.distinct-ids judges that');
        judged += mustNotFollow(answer, 'userMessage', [user, assistant], 'a message sent before it', []);
        judged += mustNotFollow(answer, 'assistantMessage', [assistant], 'another message', []);
      }
      mustHaveJudged(judged);
    },
    { uses },
  ),

  check(
    'messages.parent-in-chat',
    async (api) => {
      const [one, other] = await givenPair(api, () => true);
      const first = await givenFinished(api, one);
      const elsewhere = await givenFinished(api, other);
      const next = await givenFinished(api, one);
      let judged = 0;
      for (const [before, after] of [[first, elsewhere] as const, [elsewhere, next] as const]) {
        const ids = [before.userMessageId, before.assistantMessageId];
        judged += mustNotFollow(after.answer, 'userMessage', ids, 'a message of the same chat', [before.answer]);
      }
      mustHaveJudged(judged);
    },
    { uses, variant: 'two-chats', further: true },
  ),
];

type Role = 'userMessage' | 'assistantMessage';

/** The message must name none of those as its parent. 1 where it names any, 0 where it names none. */
function mustNotFollow(
  answer: Answer,
  role: Role,
  ids: readonly (string | undefined)[],
  expected: string,
  evidence: readonly Answer[],
): number {
  const parent = stringAt(answer.json, 'data', role, 'parentId');
  if (parent === undefined || parent === '') return 0;
  must(!ids.includes(parent), `data.${role}.parentId, ${expected},`, describe(parent), ...evidence, answer);
  return 1;
}

function idOf(answer: Answer, role: Role): string | undefined {
  return stringAt(answer.json, 'data', role, 'id');
}

function mustHaveJudged(count: number): void {
  if (count === 0) throw new Blocked('no message names a parentId, and none has to');
}
