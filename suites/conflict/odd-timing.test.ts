import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { prompts } from '../../reference/prompts.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { answerTo } from '../../testing/answers/answer-to.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';
import { mustBeConflict } from './must-be-conflict.ts';

type Through = NonNullable<TrialOptions['through']>;

const tolerating =
  (toleranceMs: number) =>
  (target: Target): Target => ({ ...target, limits: { ...target.limits, toleranceMs } });

const withoutKeys = ({ idempotencyHeader: _header, ...target }: Target): Target => tolerating(50)(target);

const isMessage = ({ path }: HttpRequest): boolean => path.includes('/messages');
const isSlow = ({ body }: HttpRequest): boolean => String(body).includes(prompts.slow);
const hasWait = ({ path }: HttpRequest): boolean => path.includes('wait=');

/** A quota refuses each slow message with a wait at first, for longer than its response takes, and lets all others pass. */
const slowDelayed: Through = (behind) => {
  const known = new Set<string>();
  return async (request) => {
    const key = request.headers['idempotency-key'];
    if (!isMessage(request) || !isSlow(request) || !hasWait(request) || key === undefined || known.has(key))
      return behind(request);
    known.add(key);
    return errorAnswer(429, { 'retry-after': '5' });
  };
};

/** Answers to held requests come some time after the response has finished. */
const heldLonger: Through = (behind, clock) => async (request) => {
  const answer = await behind(request);
  if (isMessage(request) && hasWait(request) && answer.status === 200) await clock.sleep(1200);
  return answer;
};

/** The first slow response takes two seconds longer, and some repetitions show each response generating for two seconds too long. */
const shownLate =
  (isLate: (look: number) => boolean): Through =>
  (behind, clock) => {
    const [slowMs, lateMs] = [4000, 2000];
    let looks = 0;
    const shown = new Map<string, { readonly until: number; readonly answer: HttpResponse }>();
    let isPaced = false;
    return async (request) => {
      const key = request.headers['idempotency-key'] ?? '';
      const known = shown.get(key);
      if (known !== undefined && !hasWait(request)) {
        looks += 1;
        if (clock.now() < known.until && isLate(looks)) return known.answer;
      }
      const sentAt = clock.now();
      const answer = await behind(request);
      if (!isMessage(request) || answer.status >= 300) return answer;
      if (isSlow(request) && answer.status === 200 && !isPaced) {
        isPaced = true;
        await clock.sleep(lateMs);
      }
      const endsAt = answer.status === 202 && isSlow(request) ? sentAt + slowMs : clock.now();
      if (known === undefined) shown.set(key, { until: endsAt + lateMs, answer: { ...answer, status: 202 } });
      return answer;
    };
  };

/** Held requests are answered long after the response has finished, and repetitions get the first state of the message until then. */
const firstStateRepeated: Through = (behind, clock) => {
  const accepted = new Map<string, HttpResponse>();
  return async (request) => {
    const key = request.headers['idempotency-key'] ?? '';
    const known = accepted.get(key);
    if (known !== undefined) return known;
    const isHeld = isMessage(request) && isSlow(request) && hasWait(request);
    if (isHeld && key !== '') {
      const first = await behind({ ...request, path: request.path.replace(/\?.*/, '') });
      if (first.status !== 202) return first;
      accepted.set(key, first);
    }
    const sentAt = clock.now();
    const answer = await behind(request);
    if (isHeld && answer.status === 200) await clock.sleep(clock.now() - sentAt);
    accepted.delete(key);
    return answer;
  };
};

/** Held requests are answered after 5.8 s, and the fifth response takes 1.5 s longer than the others. */
const fifthLonger: Through = (behind, clock) => {
  const keys = new Set<string | undefined>();
  let count = 0;
  let busyUntil = 0;
  return async (request) => {
    const key = request.headers['idempotency-key'];
    if (!isMessage(request) || keys.has(key)) return behind(request);
    const sentAt = clock.now();
    if (sentAt < busyUntil) return errorAnswer(409);
    if (!isSlow(request) || !hasWait(request)) return behind(request);
    if (key !== undefined) keys.add(key);
    count += 1;
    if (count === 5) busyUntil = sentAt + 5500;
    const answer = await behind(request);
    await clock.sleep(sentAt + 5800 - clock.now());
    return answer;
  };
};

/** Messages wait until the responses to those before them have finished, and keys mean nothing. */
const oneByOne: Through = (behind, clock) => {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    if (!isMessage(request)) return behind(request);
    const { 'idempotency-key': _key, ...headers } = request.headers;
    const answer = last.then(() => behind({ ...request, headers }));
    last = answer.then(({ status }) => (status === 202 ? clock.sleep(300) : undefined)).catch(() => undefined);
    return answer;
  };
};

test.each([
  [
    'conflict.refused',
    'the message that keeps the chat busy is delayed',
    { through: slowDelayed },
    [
      'blocked: the message that should have kept the chat busy was itself delayed, by a rate limit or by a busy machine',
    ],
  ],
  [
    'conflict.refused',
    'a response ends sooner than the one before it, and repetitions show that late',
    { through: shownLate(() => true) },
    [],
  ],
  ...[0, 1, 2, 3, 4].map(
    (first) =>
      [
        'conflict.refused',
        `a response ends sooner than the one before it, and one in five repetitions shows that late, from number ${first}`,
        { through: shownLate((look) => look % 5 === first) },
        [],
      ] as const,
  ),
  [
    'conflict.refused/to-the-end',
    'held requests are answered a little after the chat is free',
    { choices: { assistant: 'always-6-s' }, through: heldLonger, part: tolerating(300) },
    [],
  ],
  [
    'conflict.refused/to-the-end',
    'a held request is answered only when a worker looks the next time',
    { choices: { 'held-until': 'next-look' } },
    [],
  ],
  [
    'conflict.refused/to-the-end',
    'held requests are answered late, and the first answer is repeated until then',
    { through: firstStateRepeated },
    [expect.stringMatching(/^blocked: .* no repetition with its key showed whether its response had finished$/)],
  ],
  [
    'conflict.refused/to-the-end',
    'held requests are answered late, and one response takes a little longer than the others',
    { through: fifthLonger },
    [expect.stringMatching(/^blocked: .* no repetition with its key showed whether its response had finished$/)],
  ],
  [
    'conflict.race',
    'messages wait for each other',
    {
      choices: { assistant: 'always-300-ms' },
      through: oneByOne,
      part: withoutKeys,
    },
    [expect.stringMatching(/^blocked: the response ended too soon/)],
  ],
] as const)('%s, where %s', async (id, _what, options, said) => {
  expect(await saidBy(id, options)).toEqual(said);
});

test('what another check saw before and could not explain is no violation', async () => {
  const after = ['conflict.no-trace/prolonged'];
  expect(await saidBy('conflict.refused/to-the-end', { after, through: firstStateRepeated })).toEqual([
    expect.stringMatching(/^blocked: .* no repetition with its key showed whether its response had finished$/),
  ]);
  expect(await saidBy('conflict.no-trace/prolonged', { through: firstStateRepeated })).toEqual([]);
});

test('of the rounds of messages at the same instant, some have a wait and others have none', async () => {
  const counts = { true: 0, false: 0 };
  const through: Through = (behind) => (request) => {
    if (isMessage(request) && isSlow(request)) counts[`${hasWait(request)}`] += 1;
    return behind(request);
  };
  expect(await saidBy('conflict.race', { through })).toEqual([]);
  expect(counts.true).toBeGreaterThanOrEqual(5);
  expect(counts.false).toBeGreaterThanOrEqual(5);
});

test.each([
  ['free', 3],
  ['used-up', 2],
])('the key of a refused message, %s afterwards, is sent %i times', async (value, times) => {
  let sent = 0;
  const through: Through = (behind) => (request) => {
    if (String(request.body).includes('is refused.')) sent += 1;
    return behind(request);
  };
  expect(await saidBy('conflict.no-trace', { choices: { 'key-after-conflict': value }, through })).toEqual([]);
  expect(sent).toBe(times);
});

test.each([
  [202, true],
  [409, true],
  [429, true],
  [503, true],
  [400, false],
  [423, false],
  [500, false],
] as const)('to a busy chat, %s is legal or says nothing: %s', (status, isLegal) => {
  const answered = (one: number) => answerTo('sendMessage', errorAnswer(one));
  const judge = () => mustBeConflict(answered(status), answered(202));
  if (isLegal) expect(judge).not.toThrow();
  else expect(judge).toThrow('409 while a response is generating');
});

test('messages at the same instant come from two admins of the organization', async () => {
  const callers = new Set<string | undefined>();
  let admins: readonly string[] = [];
  const through: Through = (behind, _clock, { principals }) => {
    return (request) => {
      const organization = /organizations\/([^/]+)/.exec(request.path)?.[1] ?? '';
      admins = principals.filter(({ adminOf }) => adminOf.includes(organization)).map(({ key }) => `Bearer ${key}`);
      if (isMessage(request) && isSlow(request)) callers.add(request.headers['authorization']);
      return behind(request);
    };
  };
  expect(await saidBy('conflict.race', { through })).toEqual([]);
  expect(callers.size).toBe(2);
  expect(admins).toEqual(expect.arrayContaining([...callers]));
});

test.each([
  [410, []],
  [451, []],
  [423, [expect.stringMatching(/^failed: expected 409 .*; got 423/)]],
] as const)('another admin, who may not be a user of the chat, is refused with %i', async (status, said) => {
  const through: Through = (behind, _clock, { principals }) => {
    const others = principals.slice(1).map(({ key }) => `Bearer ${key}`);
    return async (request) =>
      isMessage(request) && others.includes(request.headers['authorization'] ?? '')
        ? errorAnswer(status)
        : behind(request);
  };
  expect(await saidBy('conflict.race', { through })).toEqual(said);
});

const oneChat = (target: Target): Target => ({
  ...target,
  organizations: target.organizations.map((one, index) => ({
    ...one,
    chats: index === 0 ? one.chats.slice(0, 1) : [],
  })),
});

test.each([
  ['refuses until the response has finished', [], {}, []],
  ['accepts messages once the wait is over', ['lock-ends-with-wait'], {}, [/^failed: expected .*one/]],
  ['accepts messages always', ['busy-chat-accepts'], {}, [/^failed: /]],
  ['answers at once', [], { assistant: 'always-300-ms' }, [/^blocked: the response ended too soon/]],
] as const)('the only chat, which %s', async (_what, faults, choices, said) => {
  expect(await saidBy('conflict.refused/after-wait', { faults, choices, part: oneChat })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

/** What would be refused with 409 is answered with this status. */
const insteadOf409 =
  (status: number): Through =>
  (behind) =>
  async (request) => {
    const answer = await behind(request);
    return answer.status === 409 ? errorAnswer(status) : answer;
  };

const ignoringKeys: Through = (behind) => (request) => {
  const { 'idempotency-key': _key, ...headers } = request.headers;
  return behind({ ...request, headers });
};

test.each([
  [
    'a deployment without keys',
    { part: withoutKeys, through: ignoringKeys },
    [/^blocked: the deployment accepts no idempotency key/],
  ],
  ['a deployment', {}, []],
  ['chats that are free once the wait is over', { faults: ['lock-ends-with-wait'] }, [/^failed: /]],
  ['busy chats that answer 503', { through: insteadOf409(503) }, [/^blocked: /]],
  ['a busy chat that answers 503', { through: insteadOf409(503), part: oneChat }, [/^blocked: /]],
] as const)('a message right after a wait, to %s', async (_what, options, said) => {
  expect(await saidBy('conflict.refused/after-wait', options)).toEqual(said.map((one) => expect.stringMatching(one)));
});

test.each([
  ['optional', 'no'],
  ['required', 'yes'],
] as const)('looking for the trace of a refused message costs few messages, where keys are %s', async (_how, value) => {
  let accepted = 0;
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    if (isMessage(request) && answer.status < 300) accepted += 1;
    return answer;
  };
  expect(await saidBy('conflict.no-trace', { through, choices: { 'key-required': value } })).toEqual([]);
  expect(accepted).toBeLessThan(10);
});
