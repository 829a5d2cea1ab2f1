import { expect, test } from 'vitest';
import type { Answer } from '../../core/exchange.ts';
import { answerTo, jsonResponse } from '../../testing/answers/answer-to.ts';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { chatsOf, childrenOf, noteMessages, sharedIdOf, wasWrittenTo } from './seen-messages.ts';
import { createSession, type Session } from './session.ts';

function begin(): Session {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  return createSession({ deployment, target, clock, seed: 1, invariants: [] });
}

type Shown = {
  readonly user?: string;
  readonly assistant?: string;
  readonly parent?: string;
  readonly status?: number;
};

function answer({ user, assistant, parent, status = 202 }: Shown): Answer {
  const data = { userMessage: { id: user, parentId: parent }, assistantMessage: { id: assistant } };
  return answerTo('sendMessage', jsonResponse(status, { data }));
}

const [here, there] = ['here', 'there'].map((chatId) => ({ organizationId: 'org', chatId }));

function note(session: Session, shown: Shown, isNew = true, chat = here): Answer {
  const made = answer(shown);
  noteMessages(session, chat ?? { organizationId: '', chatId: '' }, made, isNew);
  return made;
}

test('a message is known in each chat that showed it', () => {
  const session = begin();
  note(session, { user: 'a', assistant: 'b' });
  note(session, { user: 'a', assistant: '' }, false, there);
  expect([...chatsOf(session, 'a')]).toEqual(['here', 'there']);
  expect([...chatsOf(session, 'b')]).toEqual(['here']);
  expect([...chatsOf(session, '')]).toEqual([]);
  expect(wasWrittenTo(session, 'there')).toBe(true);
  expect(wasWrittenTo(session, 'elsewhere')).toBe(false);
});

test.each([
  ['two new messages of a chat', { user: 'a' }, true, here, 'a'],
  ['a response and a message', { user: 'b' }, true, here, 'b'],
  ['a repetition', { user: 'a' }, false, here, undefined],
  ['a refused message', { user: 'a', status: 400 }, true, here, undefined],
  ['a message of another chat', { user: 'a' }, true, there, undefined],
  ['another message', { user: 'c' }, true, here, undefined],
] as const)('whether an ID is shared by %s', (_what, shown, isNew, chat, id) => {
  const session = begin();
  const first = note(session, { user: 'a', assistant: 'b' });
  const second = note(session, shown, isNew, chat);
  expect(sharedIdOf(session)).toEqual(id === undefined ? undefined : { id, first, second });
});

test('the first two messages that share an ID are kept, and those of one answer share none', () => {
  const session = begin();
  note(session, { user: 'a', assistant: 'a' });
  expect(sharedIdOf(session)).toBeUndefined();
  note(session, { user: 'a' });
  note(session, { user: 'x' });
  note(session, { user: 'x' });
  expect(sharedIdOf(session)?.id).toBe('a');
});

test('new messages that name a parent are children of it', () => {
  const session = begin();
  const child = note(session, { user: 'b', parent: 'a' });
  note(session, { user: 'c', parent: '' });
  note(session, { user: 'd' });
  note(session, { user: 'e', parent: 'a', status: 409 });
  note(session, { user: 'b', parent: 'a' }, false);
  expect(childrenOf(session)).toEqual([{ chatId: 'here', role: 'userMessage', parent: 'a', answer: child }]);
});
