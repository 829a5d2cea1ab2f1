import { expect, test } from 'vitest';
import type { Job } from './jobs.ts';
import { limited, slowest, tooLong } from './time-limit.ts';

const fault = (name: string, seconds: number) => ({ trial: { seed: 1, faults: [name], choices: {} }, seconds });
const legal = (choices: Readonly<Record<string, string>>, seconds: number) => ({
  trial: { seed: 7, faults: [], choices },
  seconds,
});

/** A conformant run takes 100 s, and 1000 s if the assistant takes minutes. */
async function limits(timed: Parameters<typeof limited>[0]) {
  const asked: Job[] = [];
  const runs = await limited(timed, async (jobs) => {
    asked.push(...jobs);
    return jobs.map((job) => {
      const isSlow = job.kind === 'time' && job.trial.choices['assistant'] === 'minutes';
      return { kind: 'time', seconds: isSlow ? 1000 : 100 };
    });
  });
  return { runs, asked: asked.flatMap((job) => (job.kind === 'time' ? [job.trial.choices] : [])) };
}

test('a run may take twice as long as a conformant one and 30 s more', async () => {
  const { runs } = await limits([fault('quick', 230), fault('slow', 231)]);
  expect(tooLong(runs)).toEqual([{ ...fault('slow', 231), limit: 230 }]);
  expect(slowest(runs, 1)).toEqual(tooLong(runs));
});

test('a legal deployment is compared with what its pace needs, not with its other choices', async () => {
  const { runs, asked } = await limits([
    legal({ assistant: 'minutes', models: '0' }, 2030),
    legal({ models: '0', assistant: 'minutes' }, 300),
    legal({ models: '0' }, 231),
  ]);
  expect(runs.map(({ limit }) => limit)).toEqual([2030, 2030, 230]);
  expect(asked).toEqual([{}, { assistant: 'minutes' }, {}]);
});

test('a run with a limit on the wall clock may take two minutes more', async () => {
  const { runs } = await limits([legal({ clock: 'wall' }, 350), legal({ clock: 'monotonic' }, 231)]);
  expect(runs.map(({ limit }) => limit)).toEqual([350, 230]);
});
