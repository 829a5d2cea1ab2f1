import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer, refusing } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';
import { suites } from '../index.ts';

type Through = NonNullable<TrialOptions['through']>;

const header = 'idempotency-key';

/** A key that came with a message of a caller who may not use the chat is refused from then on. */
const takenByStrangers: Through = (behind, _clock, { organizations }) => {
  const known = organizations.flatMap(({ chats }) => chats);
  const taken = new Set<string>();
  return async (request) => {
    const key = request.headers[header] ?? '';
    if (taken.has(key)) return errorAnswer(422);
    const answer = await behind(request);
    const isKnown = known.some((id) => request.path.includes(`/${id}/`));
    if (isKnown && [403, 404].includes(answer.status)) taken.add(key);
    return answer;
  };
};

/** A key is forgotten once it was used so often. */
const forgottenAfter =
  (most: number): Through =>
  (behind) => {
    const uses = new Map<string, number>();
    return (request) => {
      const key = request.headers[header];
      if (key === undefined) return behind(request);
      uses.set(key, (uses.get(key) ?? 0) + 1);
      const round = Math.floor(((uses.get(key) ?? 0) - 1) / most);
      return behind({ ...request, headers: { ...request.headers, [header]: `${key}${'x'.repeat(round)}` } });
    };
  };

/** The same key with another text edits the message. */
const editing: Through = (behind) => async (request) => {
  const answer = await behind(request);
  if (request.headers[header] === undefined || answer.status > 202) return answer;
  const { message } = JSON.parse(String(request.body));
  const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
  const edited = { ...data, userMessage: { ...data.userMessage, text: message } };
  return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: edited })) };
};

/** Members may use each chat, but have no quota for messages of their own. */
const withoutQuota: Through = (behind, _clock, { principals, organizations }) => {
  const used = new Set<string>();
  return (request) => {
    const [, id, chatId] = /organizations\/([^/]+)\/chats\/([^/]+)\//.exec(request.path) ?? [];
    const isKnown = organizations.some((one) => one.id === id && one.chats.some((chat) => chat === chatId));
    const sender = principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
    const admin = principals.find(({ adminOf }) => id !== undefined && adminOf.includes(id));
    if (!isKnown || sender === undefined || admin === undefined) return behind(request);
    const key = request.headers[header] ?? '';
    if (!sender.adminOf.includes(id ?? '') && !used.has(key)) return Promise.resolve(errorAnswer(402));
    if (key !== '') used.add(key);
    return behind({ ...request, headers: { ...request.headers, authorization: `Bearer ${admin.key}` } });
  };
};

test.each([
  ['idempotency.after', 'another text edits the message', editing, []],
  [
    'idempotency.after/refused-before',
    'a key is taken by a stranger',
    takenByStrangers,
    [/^blocked: refused requests had used the key before/],
  ],
  ['idempotency.other-caller', 'members may use the chat, but have no quota', withoutQuota, []],
  ['idempotency.after', 'a key is forgotten after three requests', forgottenAfter(3), [/^failed: /]],
  ['idempotency.after', 'a key is forgotten after two requests', forgottenAfter(2), [/^failed: /]],
] as const)('%s, where %s', async (id, _what, through, said) => {
  expect(await saidBy(id, { through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

test('the response to several requests with one key is followed by repeating them, which sends no other message', async () => {
  const keys = new Set<string | undefined>();
  const through: Through = (behind) => (request) => {
    keys.add(request.headers[header]);
    return behind(request);
  };
  expect(await saidBy('idempotency.parallel', { choices: { assistant: 'always-2-s' }, through })).toEqual([]);
  // One message makes the chat idle, and each of two rounds has one.
  expect(keys.size).toBe(3);
});

test('no other traffic is looked for where an answer comes late although its response has finished', () => {
  const checks = suites.filter(({ requirement }) => requirement === 'wait.finishes');
  expect(checks.filter(({ isImmune }) => !isImmune)).toEqual([]);
});

test.each([
  ['current', 'the current state'],
  ['original', 'the original answer'],
])('what a repetition shows is observed: %s', async (form, value) => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, choices: { 'replay-form': form } });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const checks = suites.filter(({ id }) => id === 'idempotency.later');
  await runChecks(checks, session);
  const seen = session.observations().filter(({ point }) => point === 'idempotency.replay-form');
  expect(seen.map((observation) => observation.value)).toEqual([value]);
});

/** Keyed messages for which this holds are answered with that status. */
const refusingKeys =
  (status: number, isRefused: (key: string) => boolean): Through =>
  (behind) =>
  async (request) => {
    const key = request.headers[header];
    return request.path.includes('/messages') && key !== undefined && isRefused(key)
      ? errorAnswer(status)
      : behind(request);
  };

const always = (): boolean => true;
const isLong = (key: string): boolean => key.length > 200;

test.each([
  ['every key', 403, always, [/^failed: expected 2xx with a key of 255 characters; got 403/]],
  ['long keys', 400, isLong, [/^failed: expected 2xx with a key of \d+ characters; got 400/]],
  ['long keys', 409, isLong, [/^blocked: the chat is busy: a key of \d+ characters was answered 409/]],
] as const)('idempotency.key-maximum, where %s is answered %i', async (_what, status, isRefused, said) => {
  expect(await saidBy('idempotency.key-maximum', { through: refusingKeys(status, isRefused) })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

/** Checks after which no chat is left that is known to accept messages, where keys are refused. */
const others = [
  'wait.finishes',
  'auth.no-effect/sendMessage',
  'auth.unknown-key/sendMessage/repeated',
  'message.refused-no-trace',
  'message.refused-no-trace/of-strangers',
  'wait.ends/side-by-side',
  'messages.immediate/repeated',
  'idempotency.no-duplicate/lost-answer',
  'idempotency.parallel',
];

test.each([
  [400, /^failed: expected 2xx with an idempotency key, as without one; got 400/],
  [422, /^failed: expected 2xx with an idempotency key, as without one; got 422/],
  [403, /^blocked: chat .* accepts no message: 403/],
] as const)('idempotency.key-maximum, where every key is answered %i to all checks before it', async (status, said) => {
  expect(await saidBy('idempotency.key-maximum', { through: refusingKeys(status, always), after: others })).toEqual([
    expect.stringMatching(said),
  ]);
});

test('idempotency.key-maximum, where every message is refused', async () => {
  const through: Through = refusing(({ path }) => (path.includes('/messages') ? 400 : undefined));
  for (const after of [[], others]) {
    expect(await saidBy('idempotency.key-maximum', { through, after })).toEqual([expect.stringMatching(/^blocked: /)]);
  }
});
