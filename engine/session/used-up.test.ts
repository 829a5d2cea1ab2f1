import { expect, test } from 'vitest';
import { createReference } from '../../reference/reference.ts';
import { suites } from '../../suites/index.ts';
import { selectChecks } from '../../suites/plan.ts';
import { Api, as } from '../api.ts';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError } from '../../core/http.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { createSession } from './session.ts';
import { usedUp } from './used-up.ts';

function begin(wrap: (reference: Deployment) => Deployment = (reference) => reference) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment: wrap(deployment), target, clock, seed: 1, invariants: [] });
  const [alice] = target.principals;
  const { id = '', disposableDataSources = [], chats = [] } = target.organizations[0] ?? {};
  if (alice === undefined) throw new Error('the reference has no principal');
  return {
    session,
    api: new Api(session, 'test'),
    caller: as(alice),
    id,
    target,
    chats,
    source: disposableDataSources[0] ?? '',
  };
}

test('what was only read, and what was refused, uses nothing up', async () => {
  const { session, api, caller, id, chats, source } = begin();
  await api.listDataSources(caller, id);
  await api.deleteDataSource(caller, id, 'no-such-source');
  await api.deleteDataSource({ name: 'no key', authorization: undefined }, id, source);
  await api.sendMessage(caller, { organizationId: id, chatId: chats[0] ?? '' }, { message: '', key: 'k' });
  expect(usedUp(session)).toEqual({ runId: session.runId, deletions: [], attachments: [], messages: [] });
});

test('a message that is sent again is one message', async () => {
  const { session, api, caller, id, chats } = begin();
  const chatId = chats[0] ?? '';
  for (const key of ['one', 'one']) {
    await api.sendMessage(caller, { organizationId: id, chatId }, { message: 'Hello', key, wait: 20 });
  }
  expect(usedUp(session).messages).toEqual([{ organizationId: id, chatId, count: 1 }]);
});

test('a deletion without an answer is uncertain until an answer shows it', async () => {
  let isCut = true;
  const { session, api, caller, id, source } = begin((reference) => async (request) => {
    const answer = await reference(request);
    if (isCut) throw new TransportError('reset', 'The connection ended.');
    return answer;
  });
  await expect(api.deleteDataSource(caller, id, source)).rejects.toThrow(TransportError);
  expect(usedUp(session).deletions).toEqual([{ organizationId: id, dataSourceId: source, certain: false }]);
  isCut = false;
  await api.deleteDataSource(caller, id, source);
  expect(usedUp(session).deletions).toMatchObject([{ dataSourceId: source }]);
});

test('a message without an answer does not count', async () => {
  const { session, api, caller, id, chats } = begin(() => async () => {
    throw new TransportError('reset', 'The connection ended.');
  });
  const sent = api.sendMessage(caller, { organizationId: id, chatId: chats[0] ?? '' }, { message: 'Hello', key: 'k' });
  await expect(sent).rejects.toThrow(TransportError);
  expect(usedUp(session).messages).toEqual([]);
});

test('the checks of deletions and attachments use up only what is declared, and all of it is reported', async () => {
  const { session, target } = begin();
  await runChecks(selectChecks(suites, ['delete.*', 'attach.*']), session);
  const { deletions, attachments } = usedUp(session);
  const declared = target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources);
  expect(deletions.length).toBeGreaterThan(0);
  expect(deletions.filter(({ dataSourceId }) => !declared.includes(dataSourceId))).toEqual([]);
  expect(attachments).toContainEqual({
    billingAccountId: target.billingAccounts[0]?.id,
    organizationId: target.billingAccounts[0]?.attachable[0],
    certain: true,
  });
});

test('everything that is sent is recognisable as of this run', async () => {
  const { session, api, caller, id, chats, source } = begin();
  await api.listModels(caller, id);
  await api.deleteDataSource(caller, id, source);
  await api.sendMessage(caller, { organizationId: id, chatId: chats[0] ?? '' }, { message: 'Hi', key: api.freshKey() });
  const marks = api.exchanges.map(({ request }) => request.headers['user-agent']);
  expect(new Set(marks)).toEqual(new Set([`analytics-workspace-conformance (awc-${usedUp(session).runId})`]));
  expect(api.exchanges.at(-1)?.request.headers['idempotency-key']).toMatch(`awc-${session.runId}-`);
});
