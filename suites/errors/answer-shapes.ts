import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { chatIsThePath } from '../../promises/messages.ts';
import { givenChat } from '../../stage/chats/conversation.ts';
import { sendWhenFree } from '../../stage/chats/sending.ts';
import { listOperations } from '../../core/page.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { givenAccepted, givenSample } from '../../stage/chats/message-sample.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenGranted } from '../access/access-matrix.ts';
import { givenFilterCases, mustTell } from '../models/model-filters.ts';
import { givenModels } from '../models/model-records.ts';
import { invariantCheck, mustHaveKept } from './invariant-check.ts';

const atLast = { phase: 'last', variant: 'at-last' } as const;
const sentAtLast = { ...atLast, uses: ['messages'] } as const;

/**
 * The shape of each operation's 2xx answers in the whole run, and whether 200 to a message shows a finished response. Other checks are
 * blocked by a wrong shape, so without these no verdict would name the cause.
 */
export const answerShapes: readonly Check[] = [
  invariantCheck('paging.envelope', givenEveryList, atLast),
  invariantCheck('paging.meta-types', givenEveryList, atLast),
  invariantCheck('paging.cursor-is-last-id', givenEveryPage, atLast),
  invariantCheck('paging.cursor-null', givenEveryPage, atLast),
  invariantCheck('paging.limit', givenEveryPage, { ...atLast, extended: true }),
  invariantCheck('paging.default-limit', givenEveryPage, { ...atLast, extended: true }),
  invariantCheck('models.success-status', givenEveryPage, { phase: 'last' }),
  invariantCheck('models.organization', givenEveryPage, atLast),
  check('models.filter', { ...atLast, extended: true, isImmune: true }, async (api) => {
    const cases = await givenFilterCases(api);
    mustHaveKept(api, 'models.filter');
    mustTell(cases);
  }),
  invariantCheck('messages.success-status', givenAccepted, sentAtLast),
  invariantCheck('messages.envelope', givenAccepted, sentAtLast),
  invariantCheck('messages.chat-types', givenAccepted, sentAtLast),
  invariantCheck('messages.message-types', givenAccepted, sentAtLast),
  invariantCheck('messages.ok-is-finished', givenAccepted, { ...sentAtLast, isImmune: false }),
  ...(['delete.record', 'delete.record-types'] as const).map((id) =>
    invariantCheck(id, givenAcceptedDeletion, { ...atLast, uses: ['deletions'], extended: true }),
  ),
  invariantCheck('sources.no-secret', givenAcceptedDeletion, {
    ...atLast,
    on: 'deleteDataSource',
    uses: ['deletions'],
    extended: true,
  }),
  ...(['billing.record', 'billing.types'] as const).map((id) =>
    invariantCheck(id, (api) => givenGranted(api, 'getBillingAccount'), atLast),
  ),
];

/** At the end, after messages to many chats: a cached chat may be shown instead of another. */
export const answeredChat: Check = check(
  chatIsThePath.requirement,
  { uses: ['messages'], phase: 'last', variant: 'at-last', extended: true },
  async (api) => {
    const { chat: sampled } = await givenSample(api);
    if (usedUp(api.session).messages.length < 2) await sendElsewhere(api, sampled);
    mustHaveKept(api, chatIsThePath.requirement);
  },
);

async function sendElsewhere(api: Api, sampled: Chat): Promise<void> {
  const other = await givenChat(api, (chat) => chat !== sampled);
  await sendWhenFree(api, other, {
    message: api.session.target.assistant.quickPrompt,
    wait: quickPromptWait(api.session),
  });
}

async function givenEveryList(api: Api): Promise<void> {
  for (const list of listOperations) await givenGranted(api, list);
}

/** Lists of models, also with a cursor and a filter if there are models. */
async function givenEveryPage(api: Api): Promise<void> {
  await givenGranted(api, 'listModels');
  await unlessBlocked(() => givenModels(api));
}
