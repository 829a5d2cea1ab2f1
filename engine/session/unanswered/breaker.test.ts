import { expect, test } from 'vitest';
import { virtualClock } from '../../../core/clock.ts';
import { createSession } from '../session.ts';
import { type Deployment, TransportError } from '../../../core/http.ts';
import { createReference } from '../../../reference/reference.ts';
import { Api, as } from '../../api.ts';
import { NotSent } from './breaker.ts';

/** What becomes of four requests to a target that answers nothing, sent together or in turn. */
async function sentTo(together: boolean): Promise<readonly unknown[]> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const silent: Deployment = async () => {
    await clock.sleep(1000);
    throw new TransportError('timeout', 'no answer');
  };
  const api = new Api(createSession({ deployment: silent, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const send = () =>
    api.sendMessage(as(chat.admin), chat, { message: 'x', key: api.freshKey() }).catch((error: unknown) => error);
  if (together) return [...(await Promise.all([send(), send(), send()])), await send()];
  return [await send(), await send(), await send(), await send()];
}

test('an operation is paused after three requests in a row without an answer', async () => {
  expect((await sentTo(false)).at(-1)).toBeInstanceOf(NotSent);
});

test('requests that wait together, as in a queue for one chat, count once', async () => {
  expect((await sentTo(true)).at(-1)).not.toBeInstanceOf(NotSent);
});
