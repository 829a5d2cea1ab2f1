import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { send } from './sending.ts';
import { mustNotBranch } from './thread.ts';

/** Sends messages that follow those, and whose responses end with those statuses; then looks at the last two of them. */
async function look(...sent: readonly (readonly [parentId: string, status: string])[]): Promise<void> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const left = [...sent];
  const deployment = async () => {
    const [parentId, status] = left.shift() ?? [];
    const body = { data: { userMessage: { parentId }, assistantMessage: { status } } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const answers = [];
  while (left.length > 0) answers.push(await send(api, chat, { message: target.assistant.quickPrompt }));
  const [last, next] = answers.slice(-2);
  if (last !== undefined && next !== undefined) mustNotBranch(api, next, last);
}

test('a message may follow what the one before it followed, if its response may have failed', async () => {
  await expect(look(['a', 'done'], ['b', 'failed'], ['b', 'done'])).rejects.toThrow('whose response may have failed');
});

test.each([
  [
    'all responses end alike',
    [
      ['a', 'done'],
      ['b', 'done'],
      ['b', 'done'],
    ],
  ],
  [
    'it follows something else',
    [
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'done'],
    ],
  ],
] as const)('it may not where %s', async (_where, sent) => {
  await expect(look(...sent)).resolves.toBeUndefined();
});
