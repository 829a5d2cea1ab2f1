import { expect, test } from 'vitest';
import { nearlyId, inexactIds, inOtherCase, unknownId } from './unknown-id.ts';

test.each([
  ['0b6f7c1e-9d1f-4c53-a1b2-0123456789ab', /^0b6f7c1e-9d1f-4c53-a1b2-[0-9a-f]{12}$/],
  ['org_main', /^org_[a-z]{4}$/],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^01ARZ3NDEKTSV4[A-Z0-9]{12}$/],
  ['17', /^9\d{8}$/],
  ['1234567890123', /^12\d{11}$/],
  ['ds-7Xk2', /^ds-\d[A-Z][a-z]\d$/],
  ['数据', /^数据[a-z]{8}$/],
  ['a/b', /^a\/b[a-z]{8}$/],
])('what is unlike %s and looks like it', (like, pattern) => {
  const unknown = unknownId({ seed: 7 }, like);
  expect(unknown).toMatch(pattern);
  expect(unknown).not.toBe(like);
});

test('it is the same within a check and another elsewhere', () => {
  const like = 'mdl_kq3k4s9d2x';
  expect(unknownId({ seed: 1 }, like)).toBe(unknownId({ seed: 1 }, like));
  expect(unknownId({ seed: 1 }, like)).not.toBe(unknownId({ seed: 2 }, like));
  expect(unknownId({ seed: 1 }, like, 'b')).not.toBe(unknownId({ seed: 1 }, like));
});

test('an ID in the other case is another one, but not where case means nothing', () => {
  expect(inOtherCase('ds-7Xk2')).toBe('DS-7xK2');
  expect(inOtherCase('1234')).toBeUndefined();
  expect(inOtherCase('0b6f7c1e-9d1f-4c53-a1b2-0123456789ab')).toBeUndefined();
  expect(inOtherCase('507f1f77bcf86cd799439011')).toBeUndefined();
  expect(inOtherCase('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBeUndefined();
});

test.each<[string, readonly string[], readonly string[]]>([
  ['ds_7xk2qp', [], ['DS_7XK2QP', 'ds_7xk2q']],
  ['ds_7xk2qp', ['ds_7xk2qp', 'ds_9'], ['DS_7XK2QP', 'ds_7xk2q']],
  ['ds_7xk2qp', ['DS_7xk2qp'], ['ds_7xk2q']],
  ['ds_7xk2qp', ['ds_7xk2qr'], ['DS_7XK2QP']],
  ['ds-9', [], ['DS-9']],
  ['chat-1234567', [], ['CHAT-1234567']],
  ['chat-x1234567', [], ['CHAT-X1234567']],
  ['org1234567', [], ['ORG1234567']],
  ['chat-1x234567', [], ['CHAT-1X234567', 'chat-1x23456']],
  ['12345678', [], ['12345678 ']],
  ['RGF0YTox', [], ['rgf0ytOX']],
  ['RGF0YVNvdXJjZTo0MQ', [], ['rgf0yvnVDxjJztO0mq']],
  ['RGF0YTo=', [], ['rgf0ytO=']],
])('what is nearly %s, beside %j', (id, others, nearly) => {
  expect(inexactIds(id, others, 'some')).toEqual(nearly);
});

test('a number is cut where all IDs are known', () => {
  expect(inexactIds('chat-1234567', ['chat-123'], 'all')).toContain('chat-123456');
  expect(inexactIds('chat-1234567', ['chat-123456'], 'all')).not.toContain('chat-123456');
  // This is text in base64: DataSource:41 would become DataSource:4.
  expect(inexactIds('RGF0YVNvdXJjZTo0MQ', [], 'all')).not.toContain('RGF0YVNvdXJjZTo0M');
});

test.each([
  ['bil_ellrm1zp256', 'bil_ellrm1zp251'],
  ['ba_tr0isf24ha', 'ba_tr0isf24hd'],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01ARZ3NDEKTSV4RRFFQ69G5FAG'],
  ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '6f9619ff-8b86-d011-b42d-00cf4fc964fc'],
  ['org_main', undefined],
  ['chat-12345678', undefined],
  ['org-mainQ7', 'org-main'],
  ['ba_one-77', 'ba_one'],
  ['12345678901', undefined],
  ['RGF0YVNvdXJjZQ==', undefined],
])('%s is nearly %s', (id, changed) => {
  expect(nearlyId(id)).toBe(changed);
});
