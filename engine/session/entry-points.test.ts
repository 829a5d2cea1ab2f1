import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { beginningAt, createEntryPoints, goOn } from './entry-points.ts';

const { target } = createReference({ clock: virtualClock(), seed: 1 });
const two = { ...target, baseUrls: ['http://a', 'http://b'] };
const exchange = {
  operation: 'sendMessage',
  caller: 'alice',
  sentAt: 0,
  receivedAt: 5000,
  outcome: { kind: 'failed', failure: 'timeout', message: '' },
} as const;
const chat = { method: 'POST', path: '/api/public/organizations/o/chats/c/messages' } as const;

test('one entry point needs no name', () => {
  expect(createEntryPoints(target, 0)(chat)).toBeUndefined();
});

test('a list is read elsewhere than its item was deleted, and a count elsewhere than it was changed', () => {
  const at = createEntryPoints(two, 0);
  const sources = '/api/public/organizations/o/data-sources';
  expect(at({ method: 'DELETE', path: `${sources}/1` })).toBe('http://a');
  expect(at({ method: 'GET', path: '/api/public/organizations/o/models' })).toBe('http://a');
  expect(at({ method: 'GET', path: `${sources}?limit=1` })).toBe('http://b');
  expect(at({ method: 'POST', path: '/api/public/billing-accounts/b/organizations' })).toBe('http://a');
  expect(at({ method: 'GET', path: '/api/public/billing-accounts/b' })).toBe('http://b');
});

test('a message meets another one elsewhere, whatever was repeated between them', () => {
  const at = createEntryPoints(two, 0);
  expect(at(chat, 'one')).toBe('http://a');
  expect(at(chat, 'one')).toBe('http://b');
  expect(at(chat, 'two')).toBe('http://b');
  expect(at(chat, 'one')).toBe('http://a');
  expect(at(chat, 'two')).toBe('http://a');
});

test('what is tried again begins where it went wrong, also in another chat', () => {
  const at = createEntryPoints(two, 0);
  const other = { method: 'POST', path: '/api/public/organizations/o/chats/d/messages' } as const;
  at(chat);
  const late = { ...exchange, request: { ...chat, headers: {}, timeoutMs: 1, baseUrl: at(chat) } };
  expect(late.request.baseUrl).toBe('http://b');
  const again = beginningAt([late]);
  expect(at(other, 'one', again)).toBe('http://b');
  // A busy chat is tried there until it is free.
  expect(at(other, 'two', again)).toBe('http://b');
  goOn(again, other);
  expect(at(other, 'three', again)).toBe('http://a');
  expect(at(chat, 'four', again)).toBe('http://a');
});
