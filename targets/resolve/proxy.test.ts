import { expect, test } from 'vitest';
import { proxyOf } from '../../core/network/proxy.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import { resolveProxy } from './proxy.ts';
import { parseTarget, targetOf } from '../target-file.ts';

const parsed = (proxy: string, environment = {}) =>
  parseTarget(
    `name: T\nbaseUrl: https://t.example\nprincipals: { a: { key: k1 } }\n${proxy}`,
    'target.yaml',
    environment,
  );

test('the proxy of the file is used for every host, and its password is secret', () => {
  const { target, notes } = parsed('proxy: "http://user:${PASS}@proxy.test:3128"\n', {
    PASS: 'long%20password',
    NO_PROXY: '*',
  });
  expect(proxyOf(target)).toMatchObject({ name: 'http://proxy.test:3128', kind: 'tunnel', from: 'the target file' });
  const { text } = redactorOf(target);
  for (const secret of ['long password', 'long%20password', Buffer.from('user:long password').toString('base64')]) {
    expect(text(`at ${secret}`)).toMatch(/^at \$AWC_PROXY_PASSWORD/);
  }
  expect(notes).toEqual([expect.stringMatching(/through the proxy http:\/\/proxy\.test:3128 from the target file/)]);
});

test.each([
  ['https://t.example', { HTTPS_PROXY: 'http://p.test:1' }, 'http://p.test:1'],
  ['https://t.example', { HTTPS_PROXY: 'p.test:1' }, 'http://p.test:1'],
  ['https://t.example', { https_proxy: 'http://lower.test', HTTPS_PROXY: 'http://p.test:1' }, 'http://lower.test'],
  ['https://t.example', { HTTP_PROXY: 'http://p.test:1' }, undefined],
  ['http://t.example', { HTTP_PROXY: 'http://p.test:1' }, 'http://p.test:1'],
  ['http://t.example', { HTTPS_PROXY: 'http://p.test:1' }, undefined],
  ['https://127.0.0.1:8443', { HTTPS_PROXY: 'http://p.test:1' }, undefined],
  ['http://localhost:8080', { HTTP_PROXY: 'http://p.test:1' }, undefined],
  ['http://[::1]:8080', { HTTP_PROXY: 'http://p.test:1' }, undefined],
  ['https://t.example', { HTTPS_PROXY: '' }, undefined],
])('%s with %j goes through %s', (baseUrl, environment, expected) => {
  expect(resolveProxy({}, environment).proxyFor?.(baseUrl)?.url).toBe(expected);
  expect(resolveProxy({ proxy: 'none' }, environment).proxyFor).toBe(undefined);
});

test.each([
  ['*', true],
  ['t.example', true],
  ['T.Example', true],
  ['example', true],
  ['.example', true],
  ['*.t.example', false],
  ['other.test, t.example', true],
  ['other.test t.example:443', true],
  ['t.example:80', false],
  ['xample', false],
  ['', false],
])('NO_PROXY=%s excepts t.example: %s', (noProxy, isExcepted) => {
  const { proxyFor } = resolveProxy({}, { HTTPS_PROXY: 'http://p.test', NO_PROXY: noProxy });
  expect(proxyFor?.('https://t.example') === undefined).toBe(isExcepted);
});

test.each([
  ['proxy: "socks5://p:1"\n', {}, /^target\.yaml:4:8: proxy is not the URL of an HTTP proxy/],
  ['proxy: "http://user:secret%@p:1"\n', {}, /^target\.yaml:4:8: proxy is not the URL/],
  ['proxy: "http://p:1/path"\n', {}, /proxy is not the URL/],
  ['', { HTTPS_PROXY: 'socks5://user:secret@p:1' }, /^target\.yaml:1:1: the variable HTTPS_PROXY is not the URL/],
])('%j with %j is wrong', (proxy, environment, message) => {
  expect(() => parsed(proxy, environment)).toThrow(message);
  expect(() => parsed(proxy, environment)).not.toThrow(/secret/);
});

const socks = 'socks5://user:secret-word@p:1';

test.each([
  ['http://127.0.0.1:9', { HTTPS_PROXY: socks, HTTP_PROXY: socks }],
  ['http://t.example', { HTTPS_PROXY: socks }],
  ['https://t.example', { HTTP_PROXY: socks }],
  ['https://t.example', { HTTPS_PROXY: socks, NO_PROXY: '*' }],
])('a proxy that %s with %j does not use is not checked, but its password is secret', (baseUrl, environment) => {
  const { target } = targetOf({ name: 'T', baseUrl, principals: { a: { key: 'k1' } } }, environment);
  expect(proxyOf(target)).toBe(undefined);
  expect(redactorOf(target).text('at secret-word')).toMatch(/^at \$AWC_PROXY_PASSWORD/);
});

test('a proxy that only one of several entry points uses is checked', () => {
  const file = { name: 'T', baseUrls: ['http://127.0.0.1:9', 'https://t.example'], principals: { a: { key: 'k1' } } };
  expect(() => targetOf(file, { HTTPS_PROXY: socks })).toThrow(/the variable HTTPS_PROXY is not the URL/);
});
