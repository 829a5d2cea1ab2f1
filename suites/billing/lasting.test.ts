import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Organizations are counted until the instant that follows from when they were attached at last, or at first. */
const detached =
  (
    endAt: (attachedAt: number, attachments: number) => number,
    since: 'last' | 'first' = 'last',
  ): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    const ends = new Map<string, number>();
    let attachments = 0;
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/billing-accounts/')) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      if (request.method === 'POST' && answer.status === 200) {
        attachments += 1;
        const { organizationId } = JSON.parse(String(request.body));
        if (since === 'last' || !ends.has(organizationId)) ends.set(organizationId, endAt(clock.now(), attachments));
      }
      if (data?.organizationCount === undefined) return answer;
      const lost = [...ends.values()].filter((end) => clock.now() >= end).length;
      const shown = { ...rest, data: { ...data, organizationCount: data.organizationCount - lost } };
      return { ...answer, body: Buffer.from(JSON.stringify(shown)) };
    };
  };

test('the count of each attached organization falls back after the same time', async () => {
  expect(await saidBy('attach.count/at-last', { through: detached((at) => at + 6000, 'first') })).toEqual([
    expect.stringMatching(/^failed: .* it fell back 6\.\d, 6\.\d, 6\.\d s after each of 3 attachments/),
  ]);
});

const nextTick = (everyMs: number) => (at: number) => (Math.floor(at / everyMs) + 1) * everyMs;

test('each attachment is lost after the same time', async () => {
  expect(await saidBy('attach.count/at-last', { through: detached((at) => at + 6000) })).toEqual([
    expect.stringMatching(/^failed: .* it fell back 6\.\d, 6\.\d, 6\.\d s after each of 3 attachments/),
  ]);
});

test.each([
  ['now and then', (at: number, attachments: number) => at + 6000 + 1500 * (attachments % 3)],
  ['every four seconds', nextTick(4000)],
  ['every nine seconds', nextTick(9000)],
  ['once', (at: number, attachments: number) => (attachments > 4 ? Infinity : at + 6000)],
])('another client detaches organizations %s', async (_, endAt) => {
  expect(await saidBy('attach.count/at-last', { through: detached(endAt) })).toEqual([
    expect.stringMatching(/^blocked: organizationCount fell below \d+: another client detached/),
  ]);
});
