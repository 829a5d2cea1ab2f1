import { mustStatus } from '../../engine/answer.ts';
import { type Api, type Caller } from '../../engine/api.ts';
import { givenAttachable } from '../../stage/attachment/attachables.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenIdleChat, lendChat } from '../../stage/chats/conversation.ts';
import { givenLast } from '../../stage/chats/thread.ts';
import { givenDisposable } from '../../stage/deletion/disposables.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { unknownKey, withoutKey } from '../shared/credentials.ts';
import { mustLeaveChatAlone } from '../shared/chat-untouched.ts';
import { countAround, mustNotCount } from '../shared/count-untouched.ts';
import { guard, listAround, mustStayListed, mustStillBeListed } from '../shared/source-untouched.ts';

/** Section 5, point 2: writes without a valid key, to what the target file declares disposable. */
export const unauthenticatedWrites: readonly Check[] = [
  check(
    'auth.no-effect',
    // An occasional message of another client looks like a trace, but rarely twice.
    { on: 'sendMessage', uses: ['messages'], tries: 2 },
    async (api) => {
      const chat = await givenIdleChat(api);
      const message = api.session.target.assistant.slowPrompt;
      const key = api.freshKey();
      const intrude = () => asStrangers(api, (caller) => api.sendMessage(caller, chat, { message, key }));
      await mustLeaveChatAlone(api, chat, intrude, () => key);
    },
  ),

  repeated('auth.no-key', () => withoutKey),
  repeated('auth.unknown-key', unknownKey),

  check('auth.no-effect', { on: 'attachOrganization', phase: 'attachments', uses: ['attachments'] }, async (api) => {
    const attachable = givenAttachable(api);
    const { billingAccountId, organizationId } = attachable;
    const intrusion = await countAround(api, attachable, () =>
      asStrangers(api, (caller) => api.attachOrganization(caller, billingAccountId, { organizationId })),
    );
    await mustNotCount(api, [attachable], intrusion);
  }),

  check('auth.no-effect', { on: 'deleteDataSource', phase: 'deletions', uses: ['deletions'] }, async (api) => {
    const { disposable, answers, list } = await strangersDeletion(api);
    await mustStillBeListed(api, disposable, list, answers);
  }),

  check(
    'auth.no-effect',
    { on: 'deleteDataSource', phase: 'last', variant: 'at-last', uses: ['deletions'], extended: true },
    async (api) => {
      const { disposable, answers } = await strangersDeletion(api);
      await mustStayListed(api, disposable, answers);
    },
  ),
];

/** A deletion without a valid key, and the list right after it. */
const strangersDeletion = shared(async (api: Api) => {
  const disposable = await guard(api, await givenDisposable(api));
  const { organizationId, id } = disposable;
  const answers = await asStrangers(api, (caller) => api.deleteDataSource(caller, organizationId, id));
  return { disposable, answers, list: await listAround(api, disposable) };
});

/** An accepted message. */
const givenRepeatable = shared((api: Api) => lendChat(api, (chat) => givenLast(api, chat)));

/** An idempotency key must not give a message to a caller without a valid API key. */
function repeated(requirement: 'auth.no-key' | 'auth.unknown-key', callerOf: (api: Api) => Caller): Check {
  return check(
    requirement,
    { on: 'sendMessage', uses: ['messages'], variant: 'repeated', extended: true },
    async (api) => {
      const { chat, key, text: message } = await givenRepeatable(api);
      const caller = callerOf(api);
      const answer = await api.sendMessage(caller, chat, { message, key });
      mustStatus(answer, 401, `for ${caller.name}, repeating a message`);
    },
  );
}

/** The request without a key, and with an unknown one. */
async function asStrangers(api: Api, send: (caller: Caller) => Promise<Answer>): Promise<readonly Answer[]> {
  return [await send(withoutKey), await send(unknownKey(api))];
}
