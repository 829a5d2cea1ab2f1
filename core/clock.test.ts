import { expect, test } from 'vitest';
import { type Clock, realClock, virtualClock } from './clock.ts';

/** In which order sleepers wake who lie down in this one. */
async function wokenIn(clock: Clock, sleeps: readonly number[]): Promise<readonly number[]> {
  const woken: number[] = [];
  await Promise.all(sleeps.map(async (ms) => clock.sleep(ms).then(() => woken.push(ms))));
  return woken;
}

test.each([
  ['real', realClock],
  ['virtual', virtualClock()],
])('sleepers of %s time wake in its order', async (_name, clock) => {
  const before = clock.now();
  expect(await wokenIn(clock, [60, 20, -5])).toEqual([-5, 20, 60]);
  expect(clock.now()).toBeGreaterThan(before);
});

test('virtual time jumps to the next wake-up, and no further', async () => {
  const clock = virtualClock(1000);
  const seen: number[] = [];
  const note = (ms: number) => clock.sleep(ms).then(() => seen.push(clock.now()));
  await Promise.all([note(3_600_000), note(5), note(5)]);
  expect(seen).toEqual([1005, 1005, 3_601_000]);
  await note(0);
  expect(clock.now()).toBe(3_601_000);
});

test('code that waits for real events has a turn while virtual time passes', async () => {
  const clock = virtualClock();
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    setImmediate(turn).unref();
  };
  turn();
  for (let count = 0; count < 1000; count += 1) await clock.sleep(1);
  expect(turns).toBeGreaterThan(5);
});

test('the real clock shows how long the process stood still', async () => {
  const stoodMs = 200;
  const longestStallMs = realClock.watchStalls?.();
  await realClock.sleep(50);
  const woken = new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(woken, 0, 0, stoodMs);
  await realClock.sleep(50);
  expect(longestStallMs?.()).toBeGreaterThan(stoodMs / 2);
});
