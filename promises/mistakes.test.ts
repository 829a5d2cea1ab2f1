import { expect, test } from 'vitest';
import type { HttpRequest } from '../core/http.ts';
import type { Operation } from '../spec/requirement.ts';
import { isMistake } from './mistakes.ts';

const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };

function request(path: string, other: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', path, headers, timeoutMs: 1, ...other };
}

test.each<[Operation, HttpRequest]>([
  ['listModels', request('/models?limit=0')],
  ['listModels', request('/models?limit=')],
  ['listDataSources', request('/data-sources?cursor=a&limit=101')],
  ['getBillingAccount', request('/accounts/1', { headers: {} })],
  ['deleteDataSource', request('/data-sources/1', { headers: { authorization: 'Basic key' } })],
  ['deleteDataSource', request('/data-sources/1', { headers: { authorization: 'Bearer ' } })],
  ['sendMessage', request('/messages', { body: '{}' })],
  ['sendMessage', request('/messages', { body: '{"message":' })],
  ['sendMessage', request('/messages', { body: JSON.stringify({ message: '😀'.repeat(10_001) }) })],
  ['sendMessage', request('/messages?wait=301', { body: '{"message":"a"}' })],
  ['sendMessage', request('/messages', { body: '{"message":"a"}', headers: { ...headers, 'x-key': 'k'.repeat(256) } })],
  [
    'sendMessage',
    request('/messages', { body: '{"message":"a"}', headers: { ...headers, 'content-type': 'text/plain' } }),
  ],
  ['sendMessage', request('/messages', { body: '{"message":""}' })],
  ['sendMessage', request('/messages', { body: '{"message":["a"]}' })],
  ['attachOrganization', request('/organizations', { body: '{"organizationId":5}' })],
  [
    'attachOrganization',
    request('/organizations', { body: '{"organizationId":"org"}', headers: { authorization: 'Bearer key' } }),
  ],
])('%s of %j is a mistake', (operation, made) => {
  expect(isMistake({ operation, request: made })).toBe(true);
});

test.each<[Operation, HttpRequest]>([
  ['listModels', request('/models')],
  ['listModels', request('/models?limit=100&cursor=x')],
  ['getBillingAccount', request('/accounts/unknown')],
  ['sendMessage', request('/messages?wait=300', { body: JSON.stringify({ message: '😀'.repeat(10_000) }) })],
  ['sendMessage', request('/messages', { body: '{"message":"a"}', headers: { ...headers, 'x-key': 'k'.repeat(255) } })],
  [
    'sendMessage',
    request('/messages', {
      body: '{"message":"a"}',
      headers: { ...headers, authorization: `Bearer ${'k'.repeat(300)}` },
    }),
  ],
  [
    'sendMessage',
    request('/messages', { body: '{"message":"a"}', headers: { ...headers, 'content-type': 'application/x+json' } }),
  ],
  ['listDataSources', request('/data-sources?limit=1')],
  ['attachOrganization', request('/organizations', { body: '{"organizationId":"org"}' })],
])('%s of %j may be in order', (operation, made) => {
  expect(isMistake({ operation, request: made })).toBe(false);
});
