import { expect, test } from 'vitest';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';
import type { Answers } from './answers.ts';
import { seeTarget } from './seen.ts';

const answers: Answers = {
  name: 'Staging',
  baseUrl: 'http://deployment.test',
  headers: {},
  route: {},
  principals: [{ name: 'alice', variable: 'KEY', adminOf: ['org_1'] }],
  chats: {},
  disposable: {},
  accounts: [],
  idempotencyHeader: undefined,
  allow: [],
};

test('what is seen comes through the proxy of the given environment', async () => {
  await using proxy = await tinyServer((_message, reply) =>
    json(reply, 200, { data: [], pagination: { nextCursor: null, hasMore: false } }),
  );
  const seen = await seeTarget(answers, 'target.yaml', { KEY: 'key-of-alice', HTTP_PROXY: proxy.url });
  seen.close();
  expect(seen.organizations).toMatchObject([{ models: '0 models', sources: '0 data sources' }]);
});
