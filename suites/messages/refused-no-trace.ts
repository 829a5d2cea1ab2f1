import { type Answer, isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { check, type Check } from '../../engine/check.ts';
import { makeIdle, settle } from '../../stage/chats/conversation.ts';
import { quickPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { send, unkeyed } from '../../stage/chats/sending.ts';
import { givenKeyHeader } from '../../stage/chats/key-header.ts';
import { maxCharacters } from '../../stage/chats/long-messages.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenThreadChat } from '../../stage/chats/thread.ts';
import { observeWriter } from '../access/observe-writer.ts';
import { mustLeaveChatAlone } from '../shared/chat-untouched.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { noteRefusal, type Wrong } from './refused-message.ts';

/** An occasional message of another client looks like a trace, but rarely twice. */
const traceless = { uses: ['messages'], tries: 2 } as const;
/** Principals who are tried on one chat. */
const maxStrangers = 2;

/** Section 4.2: a refused message leaves nothing in its chat. */
export const refusedNoTrace: readonly Check[] = [
  check('message.refused-no-trace', traceless, async (api) => {
    await givenKeyHeader(api);
    const chat = await givenThreadChat(api);
    const kinds = refusedKinds(api);
    const accepted = new Set<string>();
    const refuse = async (): Promise<readonly Answer[]> => {
      const refused: Answer[] = [];
      for (const [what, draft] of kinds.filter(([kind]) => !accepted.has(kind))) {
        const answer = await send(api, chat, draft);
        if (isSuccess(answer)) {
          if (maybeAccepted.has(what)) accepted.add(what);
          throw new Blocked(`${what} was accepted: another requirement judges that`);
        }
        noteRefusal(api, [what, draft], answer);
        refused.push(answer);
      }
      return refused;
    };
    for (;;) {
      const before = accepted.size;
      try {
        await mustLeaveChatAlone(api, chat, refuse);
        return;
      } catch (error) {
        if (accepted.size === before) throw error;
        await settle(api, chat);
      }
    }
  }),

  // A lock may be taken or a message stored before the caller is authorized.
  check(
    'message.refused-no-trace',
    {
      ...traceless,
      variant: 'of-strangers',
      extended: true,
    },
    mustLeaveAloneForStrangers,
  ),
];

/** Strangers who may use the chat, and are left out: each costs a message or two. */
const mostUsers = 2;

/** The specification does not say who may send messages, so this is blocked if strangers may. */
async function mustLeaveAloneForStrangers(api: Api): Promise<void> {
  const { principals, assistant } = api.session.target;
  const isStranger = ({ adminOf }: Principal, { organizationId }: Chat): boolean => !adminOf.includes(organizationId);
  const chat = await givenThreadChat(api, (free) => principals.some((principal) => isStranger(principal, free)));
  let strangers = principals.filter((principal) => isStranger(principal, chat)).slice(0, maxStrangers);
  const intrude = async (): Promise<readonly Answer[]> => {
    const refused: Answer[] = [];
    for (const stranger of strangers) {
      const answer = await send(api, chat, { message: assistant.slowPrompt }, { caller: as(stranger) });
      observeWriter(api, stranger.adminOf.length === 0 ? 'admin of nothing' : 'admin elsewhere', answer);
      noteMistake(api, 'sendMessage', 'without the role', answer);
      if (isSuccess(answer)) {
        strangers = strangers.filter((one) => one !== stranger);
        throw new Blocked(`${stranger.name}, who is no admin of the organization, may use the chat`);
      }
      refused.push(answer);
    }
    return refused;
  };
  for (let left = mostUsers; ; left -= 1) {
    const before = strangers.length;
    try {
      return void (await mustLeaveChatAlone(api, chat, intrude));
    } catch (error) {
      if (strangers.length === before || strangers.length === 0 || left === 0) throw error;
      await makeIdle(api, chat);
    }
  }
}

/** Valid except for the missing end of the JSON. */
const unclosed = 'malformed JSON';

/** A lenient deployment may accept these. The others are then tried again without them. */
const maybeAccepted: ReadonlySet<string> = new Set([unclosed, 'wait=0', 'wait=301']);

/** One invalid message of each kind, with the slow prompt if it has a text, so that a trace would be visible. Other checks judge the refusals. */
function refusedKinds(api: Api): readonly Wrong[] {
  const { slowPrompt } = api.session.target.assistant;
  const wait = quickPromptWait(api.session);
  return [
    ['an empty message', { message: '' }],
    ['the message null', { message: null, wait }],
    [unclosed, { body: `{"message":${JSON.stringify(slowPrompt)}` }],
    ['10001 characters', { message: slowPrompt.padEnd(maxCharacters + 1, '.') }],
    ['wait=0', { message: slowPrompt, wait: '0' }],
    ['wait=301', { message: slowPrompt, wait: '301' }],
    ['a key of 256 characters', { message: slowPrompt, keyOf: (fresh) => fresh.padEnd(256, 'k') }],
    // Without a key, which may carry the lock. The last one, because the lock may be held briefly.
    ['the body {}', { body: '{}', wait, ...unkeyed }],
  ];
}
