import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, type HttpRequest, TransportError } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import type { Target } from '../../core/target.ts';
import { faults } from '../../reference/faults/faults.ts';
import { createReference } from '../../reference/reference.ts';
import { type Examination, examine } from './examine.ts';
import { itemsOf } from './fixtures.ts';

type Changed = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  readonly retarget?: (target: Target) => Target;
  readonly wrap?: (reference: Deployment) => Deployment;
};

function look({ retarget = (target) => target, wrap = (reference) => reference, ...changed }: Changed = {}) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, ...changed });
  const sent: HttpRequest[] = [];
  const wrapped = wrap(deployment);
  const session = createSession({
    deployment: (request) => {
      sent.push(request);
      return wrapped(request);
    },
    target: retarget(target),
    clock,
    seed: 1,
    invariants: [],
  });
  return examine(session).then((examination) => ({ ...examination, sent }));
}

function surprises({ reached }: Examination): readonly string[] {
  return reached
    .filter(({ declared, access }) => access !== (declared ? 'granted' : 'denied'))
    .map(({ principal, resource, access }) => `${principal.name} ${resource} ${access}`);
}

test('the reference is as its target says', async () => {
  const found = await look();
  expect(surprises(found)).toEqual([]);
  expect(found.reached.length).toBe(5 * 12);
  const [main] = found.fixtures.organizations;
  expect(main && [itemsOf(main.models).length, itemsOf(main.sources).length]).toEqual([130, 112]);
  expect(found.fixtures.accounts.map(({ account, shownOwner }) => shownOwner === account.owner)).toEqual([true, true]);
  expect(found.conversation).toMatchObject({ kind: 'tried', keyHeader: 'idempotency-key', slow: { kind: 'busy' } });
  expect(found.requests).toBe(found.sent.length);
});

test('nothing is changed that is not allowed, and every change is listed', async () => {
  const quiet = await look({
    retarget: (target) => ({ ...target, allow: new Set(['deletions', 'attachments', 'load']) }),
  });
  expect(new Set(quiet.sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(quiet.conversation).toMatchObject({ kind: 'untried', reason: 'not allowed: add messages to allow' });
  expect(quiet.usedUp).toMatchObject({ deletions: [], attachments: [], messages: [] });
  const { usedUp, sent } = await look();
  expect(usedUp.messages).toMatchObject([{ count: 3 }]);
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
});

test('what the file says wrong is seen: roles, headers, prompts', async () => {
  const found = await look({
    retarget: (target) => ({
      ...target,
      principals: target.principals.map((principal) =>
        principal.name === 'bob' ? { ...principal, adminOf: [target.organizations[0]?.id ?? ''] } : principal,
      ),
      idempotencyHeader: 'x-request-token',
      assistant: { ...target.assistant, slowPrompt: 'Hi.' },
    }),
  });
  const [main] = found.fixtures.organizations;
  expect(surprises(found)).toEqual([`bob ${main?.organization.id} denied`]);
  expect(found.conversation).toMatchObject({ keyHeader: 'idempotency-key', slow: { kind: 'too-fast' } });
});

test.each([
  ['idempotency-key', 'idempotency-key'],
  ['x-idempotency-key', 'x-idempotency-key'],
  ['x-request-id', undefined],
])('of a header that is not declared: %s is found to be %s', async (chosen, keyHeader) => {
  const undeclared = ({ idempotencyHeader: _header, ...target }: Target): Target => target;
  const { conversation } = await look({ choices: { 'key-header': chosen }, retarget: undeclared });
  expect(conversation).toMatchObject({ kind: 'tried', keyHeader });
});

test.each(faults.map(({ name }) => name))('with the fault %s a deployment is examined to the end', async (fault) => {
  const { requests, pulse } = await look({ faults: [fault] });
  expect(requests).toBeGreaterThan(30);
  expect(pulse.answers).toBeGreaterThan(0);
});

test.each([
  ['nothing answers', () => () => Promise.reject(new TransportError('timeout', 'No answer began within 1 ms.'))],
  ['everything is 429', () => async () => ({ status: 429, headers: {}, body: Buffer.from('{}') })],
  [
    'lists have no end',
    () => async () => ({
      status: 200,
      headers: {},
      body: Buffer.from(
        `{"data":[{"id":"${Math.random()}"}],"pagination":{"hasMore":true,"nextCursor":"${Math.random()}"}}`,
      ),
    }),
  ],
] as const)('a deployment where %s is examined within bounds', async (_what, wrap) => {
  const { requests } = await look({ wrap });
  expect(requests).toBeLessThan(3000);
});
