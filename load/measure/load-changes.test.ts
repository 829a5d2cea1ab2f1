import { expect, test } from 'vitest';
import { plainTarget } from '../../testing/samples/plain-target.ts';
import { messageRequest, requestWithoutBody } from '../schedule/load-request.ts';
import type { Outcome } from './outcome.ts';
import { watchChanges } from './load-changes.ts';

const admin = { name: 'alice', key: 'k', variable: '$AWC_KEY_ALICE', adminOf: ['org'] };
const target = plainTarget({
  principals: [admin],
  organizations: [{ id: 'org', chats: ['chat'], disposableDataSources: ['ds'] }],
});

const deletion = (id: string) =>
  requestWithoutBody('deleteDataSource', admin, `/api/public/organizations/org/data-sources/${id}`, 1000);
const message = (key: string) =>
  messageRequest(
    target,
    { organizationId: 'org', chatId: 'chat', admin },
    { text: 'Hello', key, waitSeconds: undefined, timeoutMs: 1000 },
  );

test.each<[Outcome, boolean | undefined]>([
  [200, true],
  [500, false],
  ['reset', false],
  ['timeout', false],
  ['refused', undefined], // no connection could be made
  [404, undefined],
  [429, undefined],
])('a deletion that ended with %s', (outcome, certain) => {
  const changes = watchChanges(target);
  changes.note(deletion('ds'), outcome);
  changes.note(deletion('other'), 200);
  const expected = certain === undefined ? [] : [{ organizationId: 'org', dataSourceId: 'ds', certain }];
  expect(changes.soFar()).toEqual({ deletions: expected, attachments: [], messages: [] });
});

test('messages count once for each key, also if a load sends very many', () => {
  const changes = watchChanges(target);
  for (let index = 0; index < 3000; index += 1) {
    changes.note(message(`key-${index}`), 202);
    changes.note(message(`key-${index}`), 200);
    changes.note(message(`refused-${index}`), 409);
  }
  expect(changes.soFar().messages).toEqual([{ organizationId: 'org', chatId: 'chat', count: 3000 }]);
});
