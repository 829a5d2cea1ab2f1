import type { Api } from '../../engine/api.ts';
import { keyHeaders } from '../../engine/session/key-headers.ts';
import { givenFinished, lendChat, readSent } from './conversation.ts';
import { sendAgain } from './sending.ts';
import { shared } from '../../engine/fixture.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/**
 * Makes sure that an idempotency header is known. Blocked if none is declared and no usual name works. It may lease a chat,
 * so call it before leasing one.
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

/** Whether idempotency keys work, for checks that see more with them. */
export async function keysWork(api: Api): Promise<boolean> {
  return (await unlessBlocked(() => givenKeyHeader(api))) !== undefined;
}
