import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { Api, as } from '../api.ts';
import { isRepetition } from './repeated-keys.ts';
import { createSession } from './session.ts';

test('the second request with a key of the run repeats it, and one with another key does not', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const api = new Api(session, 'test');
  const [alice] = target.principals;
  const [organization] = target.organizations;
  const chatId = organization?.chats[0];
  if (alice === undefined || organization === undefined || chatId === undefined) throw new Error('no chat to write to');
  const chat = { organizationId: organization.id, chatId };
  const key = api.freshKey();
  const repeated: boolean[] = [];
  for (const sent of [key, key, api.freshKey(), 'own', 'own']) {
    const answer = await api.sendMessage(as(alice), chat, { message: 'Hello', key: sent, wait: 20 });
    repeated.push(isRepetition(session, answer.exchange));
  }
  expect(repeated).toEqual([false, true, false, false, false]);
});
