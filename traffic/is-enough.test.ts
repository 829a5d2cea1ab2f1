import { expect, test } from 'vitest';
import type { RequirementId } from '../spec/catalogue.ts';
import { createKeyring } from './keyring.ts';
import { harEntrySchema } from './har.ts';
import { isEnough } from './is-enough.ts';
import { recordedReader } from './recorded.ts';

const base = 'https://api.example.com/v0';
const organization = `${base}/api/public/organizations/org_1`;

type Kept = {
  readonly status?: number;
  readonly text?: string | undefined;
  readonly size?: number;
  readonly type?: string;
  readonly coding?: string;
  readonly key?: string;
  readonly method?: 'GET' | 'POST';
  readonly sent?: string;
  readonly sentType?: string;
};

/** Whether what was kept of an exchange is enough to judge it. */
function suffices(requirement: RequirementId, kept: Kept): boolean {
  const { status = 200, method = 'GET', key = 'key-of-alice', type = 'application/json', sent } = kept;
  const text = 'text' in kept ? kept.text : '{}';
  const named = (headers: Readonly<Record<string, string | undefined>>) =>
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
  const entry = harEntrySchema.parse({
    startedDateTime: '2026-11-21T12:00:00.000Z',
    time: 12,
    request: {
      method,
      url: method === 'GET' ? `${organization}/models` : `${organization}/chats/c/messages`,
      headers: named({ authorization: key === '' ? '' : `Bearer ${key}`, 'content-type': kept.sentType }),
      bodySize: sent?.length ?? (method === 'GET' ? 0 : 5),
      ...(sent === undefined ? {} : { postData: { text: sent } }),
    },
    response: {
      status,
      headers: named({ 'content-type': type, 'content-encoding': kept.coding }),
      content: { size: kept.size ?? text?.length ?? 5, text },
    },
  });
  const read = recordedReader(base, createKeyring(), undefined)(entry);
  if (typeof read === 'string') throw new Error(read);
  return isEnough(requirement, read);
}

const message = { method: 'POST', sent: '{}', sentType: 'application/json', status: 500 } as const;

test.each<[boolean, RequirementId, Kept]>([
  [true, 'models.success-status', { text: undefined }],
  [true, 'message.empty', { ...message, text: undefined }],
  [false, 'paging.envelope', { text: undefined }],
  [true, 'paging.envelope', {}],
  [false, 'paging.envelope', { text: 'no JSON' }],
  [true, 'errors.body', { text: 'no JSON', status: 404 }],
  [true, 'errors.content-type', { status: 404 }],
  [false, 'errors.content-type', { status: 404, type: '' }],
  [false, 'errors.content-type', { status: 404, text: undefined }],
  [true, 'robustness.json', { text: 'no JSON' }],
  [true, 'robustness.json', { coding: 'gzip' }],
  [false, 'robustness.json', { text: 'no JSON', coding: 'gzip' }],
  [true, 'errors.no-internals', message],
  [false, 'errors.no-internals', { method: 'POST', status: 500 }],
  [true, 'auth.not-quoted', message],
  [false, 'auth.not-quoted', { method: 'POST', status: 500 }],
  [true, 'errors.no-5xx', message],
  [true, 'errors.no-5xx', { status: 500 }],
  [false, 'errors.no-5xx', { ...message, sentType: '' }],
  [false, 'errors.no-5xx', { ...message, key: '' }],
  [false, 'errors.no-5xx', { method: 'POST', sentType: 'application/json', status: 500 }],
])('%s: %s can be judged by an exchange with %j', (expected, requirement, kept) => {
  expect(suffices(requirement, kept)).toBe(expected);
});
