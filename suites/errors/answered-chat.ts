import { check, type Check } from '../../engine/check.ts';
import { givenChat, sendWhenFree } from '../../stage/chats/conversation.ts';
import { givenSample } from '../../stage/chats/message-sample.ts';
import { firstWait } from '../../engine/session/patience.ts';
import { Blocked } from '../../engine/verdict.ts';

const requirement = 'messages.chat-is-the-path';

/** At the end, after messages to many chats: a cached chat may be shown instead of another. */
export const answeredChat: Check = check(
  requirement,
  async (api) => {
    const { chat: sampled } = await givenSample(api);
    const other = await givenChat(api, (chat) => chat !== sampled);
    await sendWhenFree(api, other, { message: api.session.target.assistant.quickPrompt, wait: firstWait(api.session) });
    const { kept, violation } = api.session.invariant(requirement);
    if (violation !== undefined) throw violation;
    if (kept === 0) throw new Blocked('no message was accepted');
  },
  { uses: ['messages'], phase: 'last', variant: 'at-last', extended: true },
);
