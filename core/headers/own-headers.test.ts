import { expect, test } from 'vitest';
import { keyholderOf, withOwnHeaders } from './own-headers.ts';
import type { Principal } from '../target.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$A', adminOf: [], headers: { 'x-who': 'a' } };
const bob: Principal = { name: 'bob', key: 'key-of-bob', variable: '$B', adminOf: ['o'], headers: { cookie: 'g=1' } };

const sent = (principals: readonly Principal[], headers: Readonly<Record<string, string>>) =>
  withOwnHeaders({ principals })({ method: 'GET', path: '/', timeoutMs: 1, headers }).headers;

test('a request carries the headers of the principal whose key it carries, under any scheme', () => {
  expect(sent([alice, bob], { authorization: 'Bearer key-of-alice' })).toMatchObject({ 'x-who': 'a' });
  expect(sent([alice, bob], { authorization: 'Basic key-of-alice' })).toMatchObject({ 'x-who': 'a' });
  expect(sent([alice, bob], { authorization: 'Bearer key-of-bob' })).toMatchObject({ cookie: 'g=1' });
});

test('a key that begins with another key is that of its own principal', () => {
  const bobby: Principal = { ...alice, name: 'bobby', key: `${bob.key}by`, headers: { 'x-who': 'bobby' } };
  expect(sent([bob, bobby], { authorization: `Bearer ${bobby.key}` })).toMatchObject({ 'x-who': 'bobby' });
  expect(sent([bobby, bob], { authorization: `Bearer ${bobby.key}` })).toMatchObject({ 'x-who': 'bobby' });
});

test('with a wrong credential or none it carries those of the principal with the most organizations', () => {
  expect(keyholderOf([alice, bob])).toBe(bob);
  expect(sent([alice, bob], { authorization: 'Bearer other' })).toEqual({
    authorization: 'Bearer other',
    cookie: 'g=1',
  });
  expect(sent([alice, bob], {})).toEqual({ cookie: 'g=1' });
});

test('the header of the file replaces that of a check, and cookies are sent together', () => {
  expect(sent([alice], { 'x-who': 'b' })).toEqual({ 'x-who': 'a' });
  expect(sent([bob], { cookie: 'token=2' })).toEqual({ cookie: 'g=1; token=2' });
});

test('without headers in the file a request stays the same object', () => {
  const request = { method: 'GET', path: '/', timeoutMs: 1, headers: {} } as const;
  expect(withOwnHeaders({ principals: [{ ...alice, headers: undefined }] })(request)).toBe(request);
});
