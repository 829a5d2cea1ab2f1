import { expect, test } from 'vitest';
import { type Deployment, TransportError } from '../../core/http.ts';
import type { SideEffect, Target } from '../../core/target.ts';
import { prompts } from '../../reference/prompts.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

test('a limit that refuses only for a moment shows no countdown, and the reason says so', async () => {
  const choices = { 'rate-quota': '100-in-5s', 'rate-window': 'bucket-until-full' };
  const part = (target: Target): Target => ({ ...target, limits: { ...target.limits, rateProbeRequests: 200 } });
  expect(await saidBy('rate.counts-down/listModels', { choices, part })).toEqual([
    expect.stringMatching(
      /^blocked: the rate limit never held long enough to see retryAfterMs count down: .*; the 200 /,
    ),
  ]);
});

/** A limit of 100 requests that refuses for two seconds, and for half a second longer with each refusal, up to ten seconds. */
const postponing: NonNullable<TrialOptions['through']> = (behind, clock) => {
  let left = 0;
  let endsAt = 0;
  return async (request) => {
    await clock.sleep(2);
    const now = clock.now();
    if (now >= endsAt) [left, endsAt] = [100, now + 2000];
    left -= 1;
    if (left >= 0) return behind(request);
    endsAt = Math.min(now + 10_000, endsAt + 500);
    return errorAnswer(429, { 'retry-after': String((endsAt - now) / 1000) });
  };
};

test.each(['rate.honest/listModels', 'rate.honest/listModels/met'])(
  '%s allows a limit that postpones its reset with each refusal',
  async (id) => {
    const after = ['rate.body/listModels', 'rate.honest/listModels', 'rate.no-effect/deleteDataSource'];
    expect(await saidBy(id, { choices: { 'rate-quota': 'none' }, through: postponing, after })).toEqual([]);
  },
);

test('a target that lets a burst of requests wait is not looked at, and the reason says so', async () => {
  let freeAt = 0;
  const through: NonNullable<TrialOptions['through']> = (behind, clock) => async (request) => {
    if (!request.path.includes('/models')) return behind(request);
    freeAt = Math.max(freeAt, clock.now()) + 4000;
    const waitMs = freeAt - clock.now();
    await clock.sleep(Math.min(waitMs, request.timeoutMs));
    if (waitMs > request.timeoutMs) throw new TransportError('timeout', 'no answer in time');
    return behind(request);
  };
  expect(await saidBy('rate.honest/listModels', { through })).toEqual([
    'blocked: a request of the rate probe was not answered in time: lower limits.maxRequestsPerSecond',
  ]);
});

test('a list that is limited for good is seen where the run may not look for a limit', async () => {
  let listed = 0;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const isLimited = request.path.includes('/models') && (listed += 1) > 3;
      return isLimited ? errorAnswer(429, { 'retry-after': '1' }) : behind(request);
    };
  expect(
    await saidBy('rate.honest/listModels/met', {
      through,
      part: (target) => ({ ...target, allow: new Set() }),
      after: ['models.filter', 'paging.walk/listModels'],
    }),
  ).toEqual([expect.stringMatching(/^failed: expected a request to pass after the wait that the 429 asked for/)]);
});

test.each([
  ['messages', 'POST', '/messages'],
  ['deletions', 'DELETE', '/data-sources/'],
  ['attachments', 'POST', '/billing-accounts/'],
] as const)(
  'looking for a limit sends none of the %s, where the target file does not allow them',
  async (...without) => {
    const [effect, method, place] = without;
    const sentWith = async (isAllowed: (one: SideEffect) => boolean) => {
      let sent = 0;
      const through =
        (behind: Deployment): Deployment =>
        async (request) => {
          if (request.method === method && request.path.includes(place)) sent += 1;
          return behind(request);
        };
      const said = await saidBy('rate.body/listModels', {
        through,
        after: ['rate.no-effect/sendMessage', 'rate.no-effect/deleteDataSource', 'attach.refused-no-effect/limited'],
        part: (target) => ({ ...target, allow: new Set([...target.allow].filter(isAllowed)) }),
      });
      expect(said).toEqual([]);
      return sent;
    };
    expect(await sentWith(() => true)).toBeGreaterThan(0);
    expect(await sentWith((one) => one !== effect)).toBe(0);
  },
);

test.each([
  [3, /^blocked: other requests used up the same quota/],
  [99, /^failed: expected the idempotency key of the refused message still free/],
] as const)('the key of a limited message is refused %i times more, while another one passes', async (times, said) => {
  const refused = new Map<string, number>();
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const key = request.headers['idempotency-key'] ?? '';
      const left = String(request.body).includes(prompts.slow) ? 0 : (refused.get(key) ?? 0);
      if (left > 0) {
        refused.set(key, left - 1);
        return errorAnswer(429, { 'retry-after': '1' });
      }
      const answer = await behind(request);
      if (answer.status === 429 && key !== '') refused.set(key, times);
      return answer;
    };
  expect(await saidBy('rate.no-effect/sendMessage', { through })).toEqual([expect.stringMatching(said)]);
});

test('a limited message that is answered keeps its chat busy, although its key is refused with another text', async () => {
  const choices = { 'replay-of-other-text': '422', 'rate-order': 'good-keys-counted' };
  expect(await saidBy('rate.no-effect/sendMessage', { choices, faults: ['limited-messages-act'] })).toEqual([
    expect.stringMatching(/^failed: expected the chat still idle after the refused message; got 409/),
  ]);
  expect(await saidBy('rate.no-effect/sendMessage', { choices })).toEqual([]);
});

/** Another client writes to a chat after a message to it was limited, so many times. */
const writing =
  (times: number): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    let written = 0;
    return async (request) => {
      const answer = await behind(request);
      const isLimited = answer.status === 429 && String(request.body).includes(prompts.slow);
      if (!isLimited || written >= times) return answer;
      written += 1;
      const body = JSON.stringify({ message: prompts.quick });
      const headers = { ...request.headers, 'idempotency-key': `of-another-client-${written}` };
      // When requests pass again, and before this run looks.
      void clock.sleep(2300).then(() => behind({ ...request, body, headers }));
      return answer;
    };
  };

test.each([
  ['once', 1, 'blocked: violated once (expected a parentId that names the last accepted message; got parentId '],
  ['each time', 9, 'failed: expected a parentId that names the last accepted message; got parentId '],
])('another client writes to the chat of a limited message %s', async (_when, times, said) => {
  expect(await saidBy('rate.no-effect/sendMessage', { through: writing(times) })).toEqual([
    expect.stringContaining(said),
  ]);
});

test('a limit is looked for where models are listed, though a principal is first of all adminOf an empty organization', async () => {
  const part = (target: Target): Target => ({
    ...target,
    principals: target.principals.map((one) => ({
      ...one,
      adminOf: one.adminOf.toSorted((id) => (id === 'org_empty' ? -1 : 0)),
    })),
  });
  const options = { faults: ['limited-as-empty-page'], part };
  expect(await saidBy('paging.has-more/listModels/at-a-limit', options)).toEqual([
    expect.stringMatching(/^failed: expected .* listed, or 429, while the request is sent often/),
  ]);
});

/** Breaks the connections of refused deletions and attachments: of those that would have an effect, or the first of the others. */
const breaking =
  (which: 'real' | 'harmless'): NonNullable<TrialOptions['through']> =>
  (behind, _clock, target) => {
    const toUseUp = [
      ...target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources),
      ...target.billingAccounts.flatMap(({ attachable }) => attachable),
    ];
    const begun = new Set<string>();
    return async (request) => {
      const answer = await behind(request);
      const operation =
        request.method === 'DELETE' ? 'delete' : request.path.endsWith('/organizations') ? 'attach' : '';
      if (operation === '' || answer.status !== 429) return answer;
      const asked = operation === 'delete' ? request.path.split('/').at(-1) : JSON.parse(String(request.body));
      const isReal = toUseUp.includes(decodeURIComponent(asked.organizationId ?? asked));
      const isBroken = which === 'real' ? isReal : !isReal && !begun.has(operation);
      if (!isReal) begun.add(operation);
      if (isBroken) throw new TransportError('reset', 'it broke');
      return answer;
    };
  };

test.each([
  ['rate.no-effect/deleteDataSource', 'a deletion'],
  ['attach.refused-no-effect/limited', 'an attachment'],
])('a connection that breaks while a limit holds ends %s only if the write may have an effect', async (id, what) => {
  expect(await saidBy(id, { through: breaking('real') })).toEqual([
    `blocked: the connection of ${what} broke at the rate limit: run the suite again`,
  ]);
  expect(await saidBy(id, { through: breaking('harmless') })).toEqual([]);
});
