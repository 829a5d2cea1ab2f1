import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { HttpResponse } from '../../core/http.ts';
import { Api, as } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { isFromThen, lateRefusalsIn, rememberLateRefusal } from './late-refusals.ts';

/** A message that is refused after `lateMs` and repeated `apartMs` later; the response seems to begin `laterMs` after the refusal. */
async function judge(
  lateMs: number,
  { status = 200, apartMs = 30_000, laterMs = 0 } = {},
): Promise<boolean | undefined> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const [refusal, repetition] = [{ error: { title: 'Conflict', detail: 'busy' } }, { data: { assistantMessage: {} } }];
  let next: () => Promise<HttpResponse> = async () => {
    await clock.sleep(lateMs);
    return respond(409, refusal);
  };
  const session = createSession({ deployment: () => next(), target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const [caller, key, text] = [as(chat.admin), api.freshKey(), 'first'];
  const refused = await api.sendMessage(caller, chat, { message: text, key });
  rememberLateRefusal(session, { chat, caller, key, text, refused });
  const createdAt = new Date(refused.exchange.receivedAt + laterMs).toISOString();
  await clock.sleep(apartMs);
  next = async () => respond(status, { data: { ...repetition.data, assistantMessage: { createdAt } } });
  const again = await api.sendMessage(caller, chat, { message: text, key });
  const [late] = lateRefusalsIn(session);
  return late === undefined ? undefined : isFromThen(late, again);
}

function respond(status: number, body: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  };
}

test('a refusal that comes late is remembered, and its message is answered if the response is as old', async () => {
  expect(await judge(800)).toBe(true);
  expect(await judge(10)).toBeUndefined();
});

test('a response that the repetition begins says nothing', async () => {
  expect(await judge(800, { laterMs: 30_000 })).toBe(false);
  expect(await judge(800, { status: 202 })).toBe(false);
  expect(await judge(800, { apartMs: 1000, laterMs: 1000 })).toBe(false);
});
