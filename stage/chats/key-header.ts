import { type Api, keyHeaders } from '../../engine/api.ts';
import { givenFinished, lendChat, readSent, sendAgain } from './conversation.ts';
import { shared } from '../../engine/fixture.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/**
 * That an idempotency header is known. Blocked when none is declared and no usual name works. It may use a chat: ask for
 * it before taking one.
 */
export const givenKeyHeader = shared(async (api: Api): Promise<string> => {
  const names = keyHeaders(api.session);
  const [declared, ...more] = names;
  const observed = names.length === 1 ? `${declared}, as declared` : `one of ${names.join(', ')}`;
  if (declared === undefined || more.length > 0) await mustKnowKeys(api);
  api.session.observe('idempotency.header', observed);
  return declared ?? '';
});

async function mustKnowKeys(api: Api): Promise<void> {
  await lendChat(api, async (chat) => {
    const first = await givenFinished(api, chat);
    const answer = await sendAgain(api, first);
    const second = readSent(chat, first.key, first.text, answer);
    if (second.userMessageId !== first.userMessageId) {
      throw new Blocked('no usual idempotency header works: declare its name as choices.idempotencyHeader');
    }
  });
}

/** Whether keys work, for what is only more telling with them. */
export async function keysWork(api: Api): Promise<boolean> {
  return (await unlessBlocked(() => givenKeyHeader(api))) !== undefined;
}
