import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { latestIn } from '../../stage/chats/latest-message.ts';
import { send } from '../../stage/chats/sending.ts';
import { mustEndElsewhere } from './stuck-text.ts';

/** Judges a message with that text, if each text that `isStuck` keeps its chat busy forever, and any other response takes `ms`. */
async function judge(text: string, isStuck: (text: string, chat: string) => boolean, ms = 500): Promise<void> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const busy = new Set<string>();
  const keys = new Set<string>();
  const deployment: Deployment = async ({ method, path, headers, body }) => {
    const chat = /chats\/([^/]+)/.exec(path)?.[1] ?? '';
    const key = headers['idempotency-key'] ?? '';
    const message = String(Object.values(JSON.parse(String(body ?? '{}')))[0] ?? '');
    const isRepeated = keys.has(key);
    keys.add(key);
    if (method === 'POST' && busy.has(chat) && !isRepeated)
      return { status: 409, headers: {}, body: Buffer.from('{}') };
    if (isStuck(message, chat)) busy.add(chat);
    else await clock.sleep(ms);
    const shown = Buffer.from('{"data":{"userMessage":{"id":"a"},"assistantMessage":{"id":"b"}}}');
    return { status: busy.has(chat) ? 202 : 200, headers: { 'content-type': 'application/json' }, body: shown };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  await send(api, chat, { message: text });
  const latest = latestIn(api.session, chat);
  if (latest === undefined) throw new Error('the message was not accepted');
  await mustEndElsewhere(api, latest, []);
}

const isQuoted = (text: string): boolean => text.includes("'");

test('a text that keeps two chats busy, while a similar one without signs ends, is stuck', async () => {
  await expect(judge("it's", isQuoted)).rejects.toThrow('two chats');
});

test('a text whose response ends in another chat is not at fault', async () => {
  let first: string | undefined;
  const inFirst = (_text: string, chat: string): boolean => (first ??= chat) === chat;
  await expect(judge("it's", inFirst)).resolves.toBeUndefined();
});

test('nothing is known if a similar text takes long too, or if there is none', async () => {
  await expect(judge("it's", isQuoted, 5000)).resolves.toBeUndefined();
  await expect(judge('its', (text) => text === 'its')).resolves.toBeUndefined();
});
