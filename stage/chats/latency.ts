import { type Api, as } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { unknownId } from '../lists/unknown-id.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How long an answer to a message may take beyond its `wait`, in milliseconds: the tolerance and the latency. */
export async function givenAllowanceMs(api: Api): Promise<number> {
  return api.session.target.limits.toleranceMs + (await givenLatencyMs(api));
}

/**
 * The slowest of three empty messages to a chat that does not exist, which show the latency without the processing. Where latencies
 * vary, the fastest would make every other answer late.
 */
const givenLatencyMs = shared(async (api: Api): Promise<number> => {
  const times: number[] = [];
  for (let count = 0; count < 3; count += 1) times.push(await latencyNowMs(api));
  return Math.max(...times);
});

/** The latency of one such message now, in milliseconds. */
export async function latencyNowMs(api: Api): Promise<number> {
  const [chat] = api.session.chats.all;
  if (chat === undefined)
    throw new Blocked('no chat is declared, so the network latency of messages cannot be measured');
  const nowhere = { organizationId: chat.organizationId, chatId: unknownId(api, chat.chatId, 'latency') };
  return (await api.sendMessage(as(chat.admin), nowhere, { message: '', key: api.freshKey() })).elapsedMs;
}
