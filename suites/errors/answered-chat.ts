import { check, type Check } from '../../engine/check.ts';
import { givenChat, sendWhenFree } from '../../stage/chats/conversation.ts';
import { decoded } from '../../core/decoded.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';
import { firstWait } from '../../engine/session/patience.ts';
import type { Watch } from '../../engine/session/session.ts';
import { describe } from '../../core/text.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';

const requirement = 'messages.chat-is-the-path';

/** Sections 2.3 and 2.4: whatever check sent the message, it is answered with the chat of its own path. */
export const answeredChatWatch: Watch = {
  requirement,
  judge(exchange, answer) {
    if (exchange.operation !== 'sendMessage' || answer === undefined || !isSuccess(answer)) return undefined;
    const asked = askedFor(exchange.request.path);
    if (asked === undefined) return undefined;
    for (const [name, expected, shown] of named(asked, answer)) {
      if (shown !== undefined && shown !== expected) {
        return new Violation(`data.${name}, the path's, ${describe(expected)}`, describe(shown), [exchange]);
      }
    }
    return 'kept';
  },
};

/** At the end, when many chats were written to: what is kept of one of them may be shown for another. */
export const answeredChat: Check = check(
  requirement,
  async (api) => {
    const { chat: sampled } = await givenSample(api);
    const other = await givenChat(api, (chat) => chat !== sampled);
    await sendWhenFree(api, other, { message: api.session.target.assistant.quickPrompt, wait: firstWait(api.session) });
    const { kept, violation } = api.session.watched(requirement);
    if (violation !== undefined) throw violation;
    if (kept === 0) throw new Blocked('no message was accepted');
  },
  { uses: ['messages'], phase: 'last', variant: 'at-last', extended: true },
);

type Asked = { readonly organizationId: string; readonly chatId: string };

/** The IDs of the path; undefined where it is none that the suite wrote, as in recorded traffic. */
function askedFor(path: string): Asked | undefined {
  const [, organization = '', chat = ''] =
    /\/organizations\/([^/?]+)\/chats\/([^/?]+)\/messages(?:\?|$)/.exec(path) ?? [];
  const [organizationId, chatId] = [decoded(organization), decoded(chat)];
  return !organizationId || !chatId ? undefined : { organizationId, chatId };
}

function named({ organizationId, chatId }: Asked, { json }: Answer) {
  return [
    ['chat.id', chatId, stringAt(json, 'data', 'chat', 'id')],
    ['chat.organizationId', organizationId, stringAt(json, 'data', 'chat', 'organizationId')],
    ['userMessage.chatId', chatId, stringAt(json, 'data', 'userMessage', 'chatId')],
    ['assistantMessage.chatId', chatId, stringAt(json, 'data', 'assistantMessage', 'chatId')],
  ] as const;
}
