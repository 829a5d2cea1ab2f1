import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** What happened before an account is read. */
type Before = {
  /** The count as it is. */
  readonly count: number;
  /** Organizations that were attached, and attachments of those that were already, and refused attachments. */
  readonly attached: number;
  readonly again: number;
  readonly refused: number;
  /** How often an account was read. */
  readonly reads: number;
  /** Seconds since the last accepted attachment. */
  readonly seconds: number;
  /** Whether it is the account that gets the attachments. */
  readonly isOwn: boolean;
};

/** Accounts with another organizationCount. */
const counting =
  (made: (before: Before) => number | undefined): Through =>
  (behind, clock) => {
    const attached = new Set<string>();
    let [again, refused, reads, own, attachedAt] = [0, 0, 0, '', Number.POSITIVE_INFINITY];
    return async (request) => {
      const answer = await behind(request);
      const id = /billing-accounts\/([^/?]+)/.exec(request.path)?.[1];
      if (id === undefined) return answer;
      if (request.method === 'POST') {
        if (answer.status >= 300) refused += 1;
        else {
          const { organizationId } = JSON.parse(String(request.body));
          if (attached.has(organizationId)) again += 1;
          attached.add(organizationId);
          [own, attachedAt] = [id, clock.now()];
        }
        return answer;
      }
      if (answer.status !== 200) return answer;
      reads += 1;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const seconds = (clock.now() - attachedAt) / 1000;
      const before = { again, refused, reads, seconds, attached: attached.size, isOwn: own === '' || id === own };
      const organizationCount = made({ ...before, count: data.organizationCount });
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, organizationCount } })) };
    };
  };

const own =
  (made: (before: Before) => number | undefined) =>
  (before: Before): number | undefined =>
    before.isOwn ? made(before) : before.count;

const rises = 'failed: expected organizationCount of .* unchanged, because nothing was attached to it; got it rose by';
const noCount = 'blocked: the billing account shows no organizationCount';
const noneCounted = 'blocked: no attachment was counted at all';
const restless = 'blocked: organizationCount of .* changes while this run does not change it';
const noOther =
  'blocked: needs another billing account that shows its organizationCount and that nothing is attached to';

test.each([
  ['is as it is', ({ count }: Before) => count, {}],
  [
    'is not shown',
    () => undefined,
    {
      'attach.count': noCount,
      'attach.count/at-last': noCount,
      'attach.count/others-at-last': noOther,
      'attach.twice': noCount,
      'attach.refused-no-effect': noCount,
    },
  ],
  [
    'is not shown once something is attached',
    own(({ count, attached }) => (attached > 0 ? undefined : count)),
    {
      'attach.count': 'failed: expected organizationCount 2 after org_new was attached, 1 before; got none',
      'attach.count/at-last': noCount,
      'attach.twice': noCount,
    },
  ],
  [
    'never changes',
    own(() => 5),
    {
      'attach.count': 'failed: expected organizationCount 6 after org_empty was attached, 5 before; got 5',
      'attach.twice': noneCounted,
    },
  ],
  [
    'counts each organization twice',
    own(({ count, attached }) => count + attached),
    { 'attach.count': 'failed: expected organizationCount 2 after org_new was attached, 1 before; got 3' },
  ],
  [
    'counts an organization again',
    own(({ count, again }) => count + again),
    { 'attach.twice': 'failed: expected organizationCount still 2 after org_new was attached again by .*; got 3' },
  ],
  [
    'counts the first one alone',
    own(({ count, attached }) => count - Math.max(0, attached - 1)),
    { 'attach.count': 'failed: expected organizationCount 3 after org_pair was attached, 2 before; got 2' },
  ],
  [
    'counts the second one alone',
    own(({ count, attached }) => count - Math.min(1, attached)),
    { 'attach.count': 'failed: expected organizationCount 2 after org_new was attached, 1 before; got 1' },
  ],
  [
    'counts the first one when it is attached again, among others',
    own(({ count, attached, again }) => count + (attached > 0 && again === 0 ? 1 : 2)),
    { 'attach.count': 'failed: expected organizationCount 4 after org_new was attached, 3 before; got 3' },
  ],
  [
    'counts what is refused',
    own(({ count, refused }) => count + refused),
    { 'attach.refused-no-effect': 'failed: expected organizationCount still 1 .* 22 other ways.*; got 24' },
  ],
  [
    'rises a moment after the last attachment',
    own(({ count, seconds }) => (seconds > 0.5 && seconds < 1e9 ? count + 1 : count)),
    { 'attach.twice': 'failed: expected organizationCount still 3 a moment later; got 4' },
  ],
  [
    'counts one refused attachment',
    own(({ count, refused }) => count + Math.min(1, refused)),
    { 'attach.refused-no-effect': 'failed: expected organizationCount still 1 .*; got 2' },
  ],
  [
    'changes by itself',
    own(({ reads }) => reads),
    {
      'attach.twice': restless,
      'attach.refused-no-effect': restless,
    },
  ],
  [
    'of another account rises at once',
    ({ count, isOwn, attached }: Before) => (isOwn ? count : count + attached),
    { 'attach.count': rises, 'attach.count/others-at-last': rises },
  ],
  [
    'of another account rises later',
    ({ count, isOwn, seconds }: Before) => (isOwn || seconds < 15 || seconds > 1e9 ? count : count + 2),
    { 'attach.count/others-at-last': rises },
  ],
  ['of another account falls', ({ count, isOwn, attached }: Before) => (isOwn ? count : count - attached), {}],
] as const)('where organizationCount %s', async (_what, made, said: Readonly<Record<string, string | undefined>>) => {
  for (const id of [
    'attach.count',
    'attach.count/at-last',
    'attach.count/others-at-last',
    'attach.twice',
    'attach.refused-no-effect',
  ]) {
    const expected = said[id];
    expect([id, ...(await saidBy(id, { through: counting(made) }))]).toEqual(
      expected === undefined ? [id] : [id, expect.stringMatching(new RegExp(`^${expected}`))],
    );
  }
});

type Attachment = {
  readonly organizationId: unknown;
  readonly before: readonly unknown[];
  /** How the reference answers it. */
  readonly status: number;
};

/** Attachments that are answered with another status, whatever becomes of them. */
const answering =
  (statusOf: (attachment: Attachment) => number | undefined): Through =>
  (behind) => {
    const before: unknown[] = [];
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'POST' || !request.path.includes('/billing-accounts/')) return answer;
      const organizationId = /"(org_\w+)"/.exec(String(request.body))?.[1];
      const status = statusOf({ organizationId, before: [...before], status: answer.status });
      if (organizationId !== undefined && answer.status < 300) before.push(organizationId);
      if (status === undefined) return answer;
      return status < 300 ? { ...answer, status } : errorAnswer(status);
    };
  };

const isAgain = ({ organizationId, before, status }: Attachment): boolean =>
  status < 300 && before.includes(organizationId);

test.each([
  [
    'attach.success',
    'are answered 403',
    ({ status }: Attachment) => (status < 300 ? 403 : undefined),
    'failed: expected 2xx for alice, a declared admin of the owner',
  ],
  [
    'attach.count',
    'are answered 403',
    ({ status }: Attachment) => (status < 300 ? 403 : undefined),
    'blocked: attaching org_\\w+ was refused: 403',
  ],
  [
    'attach.success',
    'are answered 409 the second time',
    (one: Attachment) => (isAgain(one) ? 409 : undefined),
    undefined,
  ],
  [
    'attach.refused-no-5xx',
    'are answered 500 the second time',
    (one: Attachment) => (isAgain(one) ? 500 : undefined),
    '(warned|failed): expected no 5xx for an organization that is attached already',
  ],
  [
    'attach.refused-no-5xx',
    'are answered 500 where they are refused',
    ({ status }: Attachment) => (status >= 400 ? 500 : undefined),
    '(warned|failed): expected no 5xx',
  ],
  [
    'attach.missing',
    'without an organization are answered 200',
    ({ status }: Attachment) => (status === 400 ? 200 : undefined),
    'failed: expected no 2xx for a body without organizationId',
  ],
  [
    'attach.not-a-string',
    'of something else are answered 200',
    ({ status }: Attachment) => (status === 400 ? 200 : undefined),
    'failed: expected no 2xx for organizationId',
  ],
  [
    'attach.missing',
    'without an organization are answered 422',
    ({ status }: Attachment) => (status === 400 ? 422 : undefined),
    undefined,
  ],
  [
    'attach.unknown-organization',
    'of an unknown organization are answered 200',
    ({ status }: Attachment) => (status === 404 ? 200 : undefined),
    'failed: expected no 2xx with organizationId',
  ],
  [
    'attach.unknown-account',
    'to an unknown account are answered 200',
    ({ status }: Attachment) => (status === 404 ? 200 : undefined),
    'failed: expected no 2xx to the billing account',
  ],
  [
    'attach.inexact-id',
    'of an inexact ID are answered 200',
    ({ status }: Attachment) => (status === 404 ? 200 : undefined),
    'warned: expected no 2xx with organizationId',
  ],
  [
    'attach.refused-no-effect',
    'that must be refused are all answered 200',
    ({ status }: Attachment) => (status >= 400 ? 200 : undefined),
    'blocked: no attachment was refused',
  ],
] as const)('%s, where attachments %s', async (id, _what, statusOf, said) => {
  expect(await saidBy(id, { through: answering(statusOf) })).toEqual(
    said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))],
  );
});

/** The account counted three before the run, and does not count the first attachment. */
const firstIsLost = counting(own(({ attached }) => 3 + Math.max(0, attached - 1)));

// A gateway may refuse repeated requests, and an organization that will be detached at the end of a period may count until then.
test.each([
  ['as the first time', []],
  ['409', [answering((one) => (isAgain(one) ? 409 : undefined))]],
] as const)(
  'an attachment that is not counted may be an old one, if it is answered %s the second time',
  async (_how, ways) => {
    const through: Through = (behind, ...others) =>
      [firstIsLost, ...ways].reduce((inner, way) => way(inner, ...others), behind);
    expect(await saidBy('attach.count', { through })).toEqual([]);
  },
);

/** Every second read of an account comes from a copy that is three seconds behind. */
const copyBehind =
  (turn: number): Through =>
  (behind, clock) => {
    const attachedAt = new Map<string, number>();
    let [own, reads] = ['', 0];
    return async (request) => {
      const answer = await behind(request);
      const id = /billing-accounts\/([^/?]+)/.exec(request.path)?.[1];
      if (id === undefined || answer.status >= 300) return answer;
      if (request.method === 'POST') {
        const { organizationId } = JSON.parse(String(request.body));
        own = id;
        attachedAt.set(organizationId, attachedAt.get(organizationId) ?? clock.now());
        return answer;
      }
      reads += 1;
      if (id !== own || reads % 2 !== turn) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      const unseen = attachedAt.values().filter((time) => time > clock.now() - 3000);
      const organizationCount = data.organizationCount - [...unseen].length;
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, organizationCount } })) };
    };
  };

test.each([0, 1])('a copy that is three seconds behind does not count fewer, read in turn %i', async (turn) => {
  expect(await saidBy('attach.count/at-once', { through: copyBehind(turn) })).toEqual([]);
});

/** Attachments at the same instant reset the count of their account. */
const resetByRace: Through = (behind, clock) => {
  let [latestAt, isReset] = [-1, false];
  return async (request) => {
    if (request.method === 'POST' && request.path.includes('/billing-accounts/')) {
      isReset ||= clock.now() === latestAt;
      latestAt = clock.now();
    }
    const answer = await behind(request);
    if (!isReset || request.method !== 'GET' || !request.path.includes('/billing-accounts/')) return answer;
    if (answer.status >= 300) return answer;
    const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: { ...data, organizationCount: 0 } })) };
  };
};

test('a count that falls for good is no copy that is behind', async () => {
  expect(await saidBy('attach.count/at-once', { through: resetByRace })).toEqual([
    expect.stringMatching(/^failed: expected organizationCount/),
  ]);
});
