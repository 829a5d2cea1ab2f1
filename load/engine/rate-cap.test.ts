import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Clock, virtualClock } from '../../core/clock.ts';
import { bothCaps, createRateCap, noRateCap, timedGate } from './rate-cap.ts';

/** The most that left in any second. */
function mostInASecond(left: readonly number[]): number {
  return Math.max(0, ...left.map((from) => left.filter((at) => at >= from && at < from + 1000).length));
}

const stepsArbitrary = fc.array(
  fc.record({
    /** A process that is stopped wakes up this much later than it wanted to. */
    pauseMs: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1000, max: 6000 })),
    asks: fc.integer({ min: 0, max: 60 }),
  }),
  { maxLength: 20 },
);

test('no second has more than the limit, whatever was overdue, and everything leaves in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 50 }), stepsArbitrary, async (most, steps) => {
      const clock = virtualClock(0);
      const cap = createRateCap(most, clock);
      const left: { readonly at: number; readonly ordinal: number }[] = [];
      let asked = 0;
      for (const { pauseMs, asks } of steps) {
        await clock.sleep(pauseMs);
        for (let index = 0; index < asks; index += 1) {
          const ordinal = asked;
          asked += 1;
          cap.admit(() => left.push({ at: clock.now(), ordinal }) > 0);
        }
      }
      while (left.length < asked) await clock.sleep(1000);
      expect(mostInASecond(left.map(({ at }) => at))).toBeLessThanOrEqual(most);
      expect(left.map(({ ordinal }) => ordinal)).toEqual(left.map((_one, index) => index));
    }),
    { numRuns: 60 },
  );
});

test('a stop does not save up what was not sent', () => {
  let now = 0;
  const cap = createRateCap(50, { now: () => now, sleep: () => new Promise(() => {}) });
  const sendAll = () => Array.from({ length: 300 }, () => cap.take()).filter((wait) => wait === 0).length;
  expect(sendAll()).toBe(50);
  now += 5000;
  expect(sendAll()).toBe(50);
  now += 1000;
  expect(sendAll()).toBe(0);
  now += 20;
  expect(sendAll()).toBe(50);
});

test('the wait is the time until a request could leave, behind those that wait already', () => {
  let now = 0;
  const cap = createRateCap(2, { now: () => now, sleep: () => new Promise(() => {}) });
  expect(cap.waitMs()).toBe(0);
  cap.take();
  now = 100;
  cap.take();
  now = 200;
  expect(cap.waitMs()).toBe(820);
  cap.admit(() => true);
  expect(cap.waitMs()).toBe(920);
  cap.admit(() => true);
  expect(cap.waitMs()).toBe(820 + 1020);
  expect(cap.take()).toBe(820 + 1020);
});

test('a request that is no longer wanted takes no place', async () => {
  const clock = virtualClock(0);
  const cap = createRateCap(1, clock);
  const left: number[] = [];
  cap.admit(() => left.push(clock.now()) > 0);
  for (let index = 0; index < 5; index += 1) cap.admit(() => false);
  cap.admit(() => left.push(clock.now()) > 0);
  await clock.sleep(3000);
  expect(left).toEqual([0, 1020]);
});

test('a limit below one request a second holds over longer times', async () => {
  const clock = virtualClock(0);
  const cap = createRateCap(0.2, clock);
  const left: number[] = [];
  for (let index = 0; index < 3; index += 1) cap.admit(() => left.push(clock.now()) > 0);
  await clock.sleep(20_000);
  expect(left).toEqual([0, 5000, 10_000]);
});

test('without a limit everything leaves at once', () => {
  const still: Clock = { now: () => 0, sleep: () => new Promise(() => {}) };
  const cap = createRateCap(Number.POSITIVE_INFINITY, still);
  expect(cap).toBe(noRateCap);
  let left = 0;
  for (let index = 0; index < 1000; index += 1) cap.admit(() => (left += 1) > 0);
  expect(left).toBe(1000);
  expect([cap.waitMs(), cap.take()]).toEqual([0, 0]);
});

test('what must pass two limits keeps both', async () => {
  const clock = virtualClock(0);
  const whole = createRateCap(3, clock);
  const part = bothCaps(createRateCap(1, clock), whole);
  const left: string[] = [];
  for (let index = 0; index < 3; index += 1) part.admit(() => left.push('part') > 0);
  for (let index = 0; index < 2; index += 1) whole.admit(() => left.push('whole') > 0);
  await clock.sleep(10);
  expect(left).toEqual(['part', 'whole', 'whole']);
  await clock.sleep(3000);
  expect(left).toHaveLength(5);
});

test('a request that arrives late counts from then on, and the others as before', async () => {
  const clock = virtualClock(0);
  const cap = createRateCap(3, clock);
  const left: number[] = [];
  const send = (count: number) => {
    for (let index = 0; index < count; index += 1) cap.admit((at) => left.push(at) > 0);
  };
  send(1);
  await clock.sleep(100);
  send(2);
  await clock.sleep(100);
  cap.arrived(0);
  expect(cap.idleInMs()).toBe(1020);
  send(3);
  await clock.sleep(5000);
  expect(left).toEqual([0, 100, 100, 1120, 1120, 1220]);
  expect(cap.idleInMs()).toBe(0);
  cap.arrived(0); // so many have left since that it is not known any more
  expect(cap.idleInMs()).toBe(1020);
  expect([noRateCap.idleInMs(), noRateCap.arrived(0)]).toEqual([0, undefined]);
});

test('waits at a gate add up from the given instant on', () => {
  const now = vi.spyOn(performance, 'now');
  const { gate, waitedMs } = timedGate(() => 30, 1000);
  const waitAt = (at: number) => {
    now.mockReturnValue(at);
    return gate();
  };
  expect([waitAt(0), waitAt(999)]).toEqual([30, 30]);
  expect(waitedMs()).toBe(0);
  expect([waitAt(1000), waitAt(2000)]).toEqual([30, 30]);
  expect(waitedMs()).toBe(60);
  now.mockRestore();
});
