import { type Api, as } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { send } from '../../stage/chats/sending.ts';
import { withoutKey } from '../shared/credentials.ts';
import { requestAt, unknownPlace } from '../shared/place.ts';

/** A key that is too long, in characters. */
const tooLong = 300;

/** Requests that a busy chat refuses for reasons of their own. None of these refusals may release it. */
export async function sendRefused(api: Api, chat: Chat): Promise<void> {
  const impatient = { patient: false } as const;
  const nothing = () => ({ message: '', key: api.freshKey() });
  await send(api, chat, { message: '' }, impatient);
  const { principals, assistant } = api.session.target;
  const stranger = principals.find(({ adminOf }) => !adminOf.includes(chat.organizationId));
  const callers = [withoutKey, ...(stranger === undefined ? [] : [as(stranger)])];
  for (const caller of callers) await api.sendMessage(caller, chat, nothing(), impatient);
  await send(api, chat, { message: assistant.quickPrompt, wait: 'long' }, impatient);
  await requestAt(api, 'sendMessage', as(chat.admin), unknownPlace(api), impatient);
  const keyOf = (fresh: string): string => fresh.padEnd(tooLong, 'k');
  await send(api, chat, { message: assistant.quickPrompt, keyOf }, impatient);
  await send(api, chat, { body: '{"message":' }, impatient);
}
