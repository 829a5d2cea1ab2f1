import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'wait.finishes/short';
const after = ['messages.accepted-is-generating', 'message.minimum'];

test('short waits that are held in full are a violation', async () => {
  expect(await saidBy(id, { faults: ['short-wait-slept'], after })).toEqual([expect.stringMatching(/^failed/)]);
});

test('one answer that comes as late as a short wait ends is none', async () => {
  let held = 0;
  const through =
    (behind: Deployment, clock: { readonly sleep: (ms: number) => Promise<void> }): Deployment =>
    async (request) => {
      const answer = await behind(request);
      if (request.path.endsWith('wait=4') && answer.status === 200 && held === 0) {
        held += 1;
        await clock.sleep(3600);
      }
      return answer;
    };
  expect(await saidBy(id, { through, after })).toEqual([]);
  expect(held).toBe(1);
});

test.each(['seconds', 'moody', 'minutes', 'at-once'])(
  'nothing is accused with an assistant that is %s',
  async (pace) => {
    expect(await saidBy(id, { choices: { assistant: pace }, after })).toEqual([]);
  },
);
