import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReference } from '../reference/reference.ts';
import { Api, as } from './api.ts';
import { virtualClock } from '../core/clock.ts';
import { CounterexampleFound, forAll } from './properties.ts';
import { createSession } from './session/session.ts';
import { Blocked, Violation } from './verdict.ts';

/** `ask` sends one request. */
function begin(replayPath?: string) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const api = new Api(session, 'test', 1, replayPath);
  const [alice] = target.principals;
  if (alice === undefined) throw new Error('the reference has no principal');
  return { api, ask: () => api.listModels(as(alice), target.organizations[0]?.id ?? '', { limit: 1 }) };
}

const numbers = fc.nat(10_000);
const mustBeSmall = async (value: number) => {
  if (value > 100) throw new Violation('at most 100', String(value));
};

async function thrownBy(promise: Promise<void>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('tries as many values as it may', async () => {
  const tried: number[] = [];
  await forAll(begin().api, numbers, { runs: 20, requests: 100 }, async (value) => void tried.push(value));
  expect(tried).toHaveLength(20);
});

test('shrinks a violation, and tries it again by its path', async () => {
  const found = await thrownBy(forAll(begin().api, numbers, { runs: 20, requests: 100 }, mustBeSmall));
  if (!(found instanceof CounterexampleFound)) throw new Error('no counterexample');
  expect(found.cause).toMatchObject({ expected: 'at most 100', actual: '101' });
  expect(found.counterexample.values).toBe('101');
  const tried: number[] = [];
  const again = forAll(begin(found.counterexample.path).api, numbers, { runs: 20, requests: 100 }, async (value) => {
    tried.push(value);
    await mustBeSmall(value);
  });
  expect(await thrownBy(again)).toMatchObject({ counterexample: { values: '101' } });
  expect(tried).toEqual([101]);
});

test('ends when its requests are spent, and keeps the smallest failure that was found', async () => {
  const { api, ask } = begin();
  let tried = 0;
  const found = forAll(api, numbers, { runs: 20, requests: 3 }, async (value) => {
    await ask();
    tried += 1;
    await mustBeSmall(value);
  });
  expect(await thrownBy(found)).toBeInstanceOf(CounterexampleFound);
  expect(tried).toBe(3);
});

test('is blocked where nothing could be tried', async () => {
  const trying = forAll(begin().api, numbers, { runs: 20, requests: 0 }, mustBeSmall);
  await expect(trying).rejects.toThrow(Blocked);
});

test.each([new Blocked('no chat'), new TypeError('a fault of the suite')])(
  '%s ends it, and is no violation',
  async (error) => {
    let tried = 0;
    const trying = forAll(begin().api, numbers, { runs: 20, requests: 100 }, async () => {
      tried += 1;
      if (tried === 2) throw error;
    });
    expect(await thrownBy(trying)).toBe(error);
    expect(tried).toBe(2);
  },
);
