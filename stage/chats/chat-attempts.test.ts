import { expect, test } from 'vitest';
import { type Clock, virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { Violation } from '../../engine/verdict.ts';
import { createReference } from '../../reference/reference.ts';
import { beginAttempts, inexplicableIn, leaveOut } from './chat-attempts.ts';
import { send } from './sending.ts';

type Answered = { readonly status: number; readonly afterMs: number };

/** What is said of messages to an idle chat, sent 300 ms after each other and answered as listed. */
async function saidOf(answers: readonly Answered[], wait: number): Promise<Violation | undefined> {
  const clock: Clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  let count = 0;
  const deployment: Deployment = async () => {
    const answer = answers[count++];
    if (answer === undefined) throw new Error('more messages than answers');
    await clock.sleep(answer.afterMs);
    return { status: answer.status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  beginAttempts(api, chat, clock.now());
  await clock.sleep(5000);
  await Promise.all(
    answers.map(async (_, index) => {
      await clock.sleep(300 * index);
      await send(api, chat, { message: 'x', ...(index === 0 ? { wait } : {}) });
    }),
  );
  return inexplicableIn(api, chat);
}

test('a 409 in a chat to which nothing was accepted is wrong', async () => {
  const said = await saidOf([{ status: 409, afterMs: 5 }], 1);
  expect(said).toMatchObject({ expected: 'no 409 while no response is generating in the chat', actual: '409' });
});

test('a 409 that is right beside an acceptance that is wrong is not accused alone', async () => {
  const said = await saidOf(
    [
      { status: 202, afterMs: 3000 },
      { status: 409, afterMs: 5 },
      { status: 202, afterMs: 5 },
    ],
    3,
  );
  expect(said).toMatchObject({
    expected: 'answers that fit some order of the requests: 409 while a response is generating, 2xx when none is',
    actual: 'no order fits: 2 accepted, 1 refused with 409',
  });
});

test('a message that was accepted before the record began is left out of it', async () => {
  const clock: Clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  // The last answer shows that repetitions follow the state of the response.
  const sent = [
    ['new', 202],
    ['older', 200],
    ['new', 202],
    ['new', 200],
  ] as const;
  let count = 0;
  const deployment: Deployment = async () => {
    const [, status = 500] = sent[count++] ?? [];
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  beginAttempts(api, chat, clock.now());
  for (const [key] of sent) {
    await send(api, chat, { message: 'x', keyOf: () => key });
    await clock.sleep(2000);
  }
  expect(inexplicableIn(api, chat)).toBeInstanceOf(Violation);
  leaveOut(api, chat, 'older');
  expect(inexplicableIn(api, chat)).toBeUndefined();
});
