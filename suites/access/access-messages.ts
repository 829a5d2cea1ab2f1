import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { giveBack, givenChat, givenIdleChat, makeIdle } from '../../stage/chats/conversation.ts';
import { latestIn } from '../../stage/chats/latest-message.ts';
import { loseTrack, quiet } from '../../stage/chats/sending.ts';
import { wasWrittenTo } from '../../engine/session/seen-messages.ts';
import type { Principal } from '../../core/target.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Detour, detoursAround, detourThroughNothing } from './detours.ts';
import { observeUnknown } from './observe-unknown.ts';
import { observeWriter } from './observe-writer.ts';
import { unknownPlace } from '../shared/place.ts';

/** The maximum number of admins who try to send a message. */
const maxAdmins = 4;

const on = { on: 'sendMessage', uses: ['messages'] } as const;

/**
 * Sections 4.2 and 5, for messages. The specification names no role for them, so no principal is expected to be denied;
 * and a chat belongs to a member, so only the admin who uses it is expected to be accepted.
 */
export const accessMessages: readonly Check[] = [
  check('access.granted', on, async (api) => {
    const organizations = new Set(api.session.chats.all.map(({ organizationId }) => organizationId));
    const writers = api.session.target.principals.flatMap((principal) => {
      const organizationId = principal.adminOf.find((id) => organizations.has(id));
      return organizationId === undefined ? [] : [{ principal, organizationId }];
    });
    for (const { principal, organizationId } of writers.slice(0, maxAdmins)) {
      if (isSeenAccepted(api, principal, organizationId)) continue;
      const chat = await givenChat(api, (free) => free.organizationId === organizationId);
      const first = await sendAs(api, principal, chat);
      if (first.status === 409) await makeIdle(api, chat);
      const answer = first.status === 409 ? await sendAs(api, principal, chat) : first;
      if (principal === chat.admin) {
        await givenThere(api, chat, answer);
        mustSucceed(answer, `for ${principal.name}, a declared admin, sending a message`);
      } else observeWriter(api, 'another admin', answer);
      giveBack(api, chat);
    }
    if (writers.length === 0) await givenIdleChat(api);
    await observeUnknown(api, 'sendMessage');
  }),

  check('access.foreign-path', on, async (api) => {
    const { all } = api.session.chats;
    if (all.length > 0 && !all.some((chat) => detoursTo(api, chat).length > 0)) {
      throw new Blocked(
        'needs a principal that is adminOf an organization other than the one of a chat, and a chat whose ID is long enough to be unique',
      );
    }
    const chat = await givenIdleChat(api, (free) => detoursTo(api, free).length > 0);
    const message = api.session.target.assistant.slowPrompt;
    const answers: Answer[] = [];
    for (const { organizationId, principal } of [...detoursTo(api, chat), detourThroughNothing(api, chat.admin)]) {
      const foreign = { organizationId, chatId: chat.chatId };
      const answer = await api.sendMessage(as(principal), foreign, { message, key: api.freshKey() });
      if (isSuccess(answer)) loseTrack(api, chat);
      const through = `through ${organizationId}, to a chat of ${chat.organizationId}`;
      mustNotSucceed(answer, `for ${principal.name} ${through}`);
      answers.push(answer);
    }
    // The chat may be busy for the tolerance after the response before.
    await quiet(api, chat);
    const twin = await sendAs(api, chat.admin, chat);
    must(twin.status !== 409, 'the chat still idle after refused requests', summary(twin), ...answers, twin);
    if (!isSuccess(twin)) throw new Blocked(`the chat accepts no message through its own path: ${summary(twin)}`);
  }),
];

/** Whether this admin uses a chat of the organization that accepted its last two messages, the last of them from this admin. */
function isSeenAccepted({ session }: Api, principal: Principal, organizationId: string): boolean {
  return session.chats.all.some((chat) => {
    const { caller, answer, before } = latestIn(session, chat) ?? {};
    const isOwn = chat.admin === principal && chat.organizationId === organizationId && caller?.name === principal.name;
    return isOwn && [answer, before].every((one) => one !== undefined && isSuccess(one));
  });
}

/** Paths of other organizations to a chat whose ID they are very unlikely to have as well. */
function detoursTo(api: Api, { organizationId, chatId }: Chat): readonly Detour[] {
  if (chatId.length < 4 || /^\d{1,6}$/.test(chatId)) return [];
  const own = api.session.target.organizations.filter(({ chats }) => chats.includes(chatId)).map(({ id }) => id);
  return detoursAround(api, organizationId, (other) => !own.includes(other));
}

/** A quick message of the principal, with wait, so that the chat is idle again afterwards. */
async function sendAs(api: Api, admin: Principal, chat: Chat): Promise<Answer> {
  const { quickPrompt } = api.session.target.assistant;
  const outgoing = { message: quickPrompt, wait: quickPromptWait(api.session), key: api.freshKey() };
  const answer = await api.sendMessage(as(admin), chat, outgoing);
  if (isSuccess(answer) || answer.status >= 500) loseTrack(api, chat);
  if (answer.status === 200) api.session.chats.markFinished(chat, answer);
  return answer;
}

/** Blocked if the answer equals the one about an unknown chat: then the declared chat may be gone. */
async function givenThere(api: Api, chat: Chat, answer: Answer): Promise<void> {
  if (answer.status < 400 || answer.status >= 500 || wasWrittenTo(api.session, chat.chatId)) return;
  const nowhere = { organizationId: chat.organizationId, chatId: unknownPlace(api).chatId };
  const { quickPrompt } = api.session.target.assistant;
  const unknown = await api.sendMessage(as(chat.admin), nowhere, { message: quickPrompt, key: api.freshKey() });
  if (summary(unknown) !== summary(answer)) return;
  throw new Blocked(
    `chat ${chat.chatId} gets the same answer as a chat that does not exist: ${summary(answer)}: declare chats of ${chat.organizationId} that ${chat.admin.name} may write to`,
  );
}
