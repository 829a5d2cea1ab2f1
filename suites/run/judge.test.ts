import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, TransportError } from '../../core/http.ts';
import { as } from '../../engine/api.ts';
import { check } from '../../engine/check.ts';
import { createSession } from '../../engine/session/session.ts';
import { Blocked, Late, Violation } from '../../engine/verdict.ts';
import { createReference } from '../../reference/reference.ts';
import { judge } from './judge.ts';

/** A session in which the process stands still for so long in each attempt, in milliseconds; 0 in those after the last. */
function session(...stallsMs: readonly number[]) {
  const left = [...stallsMs];
  const watchStalls = () => {
    const stallMs = left.shift() ?? 0;
    return () => stallMs;
  };
  const clock = { ...virtualClock(), watchStalls };
  const { deployment, target } = createReference({ clock, seed: 1 });
  return createSession({ deployment, target, clock, seed: 1, invariants: [] });
}

/** A check whose attempts end as listed. */
function attempts(...outcomes: readonly (Error | undefined)[]) {
  const left = [...outcomes];
  const run = async () => {
    const outcome = left.shift();
    if (outcome !== undefined) throw outcome;
  };
  return check('wait.holds', { tries: outcomes.length }, run);
}

const late = new Violation('1 s', '3 s');

test('a violation that is not seen again passes, and one that is seen each time stands', async () => {
  expect(await judge(attempts(late, undefined), session())).toEqual({ kind: 'passed' });
  expect(await judge(attempts(late, late), session())).toMatchObject({ kind: 'violated', actual: '3 s' });
});

test('a violation whose repetition is blocked is reported with the reason', async () => {
  const verdict = await judge(attempts(late, new Blocked('no chat is idle')), session());
  expect(verdict).toMatchObject({
    kind: 'blocked',
    reason: 'violated once (expected 1 s; got 3 s) and not confirmed: the repetition was blocked: no chat is idle',
  });
});

test('a check knows whether another one has shown its requirement violated', async () => {
  const known: boolean[] = [];
  const asking = check('wait.holds', async ({ isKnown }) => {
    known.push(isKnown);
    throw late;
  });
  const shared = session();
  for (let time = 0; time < 2; time += 1) await judge(asking, shared);
  expect(known).toEqual([false, true]);
});

test('what was late once is tried again, alone', async () => {
  const tooLate = new Late('1 s', '3 s');
  let alone = 0;
  const outcomes: (Error | undefined)[] = [tooLate, undefined, tooLate, tooLate];
  const once = check('conflict.race', async () => {
    const outcome = outcomes.shift();
    if (outcome !== undefined) throw outcome;
  });
  const manner = { alone: async () => void (alone += 1) };
  expect(await judge(once, session(), manner)).toEqual({ kind: 'passed' });
  expect(await judge(once, session(), manner)).toMatchObject({ kind: 'violated' });
  expect(alone).toBe(2);
});

test('what is late while this process stood still says nothing about the deployment', async () => {
  const tooLate = new Late('1 s', '3 s');
  const always = attempts(...Array.from({ length: 9 }, () => tooLate));
  expect(await judge({ ...always, tries: 2 }, session(20, 20))).toMatchObject({ kind: 'violated' });
  expect(await judge(attempts(late, late), session(2000, 2000))).toMatchObject({ kind: 'violated' });
  const verdict = await judge({ ...always, tries: 2 }, session(2000, 2000, 2000, 2000));
  expect(verdict).toMatchObject({
    kind: 'blocked',
    reason: expect.stringMatching(/^violated once .*: this process itself stood still for 2000 ms meanwhile/),
  });
});

test('what is late while this process stood still is tried again twice more', async () => {
  const tooLate = new Late('1 s', '3 s');
  const again = (outcomes: readonly (Error | undefined)[], ...stallsMs: readonly number[]) =>
    judge({ ...attempts(...outcomes), tries: 2 }, session(...stallsMs));
  const thrice = [tooLate, tooLate, tooLate];
  expect(await again(thrice, 0, 2000)).toMatchObject({ kind: 'violated' });
  expect(await again([...thrice, tooLate], 0, 2000, 2000)).toMatchObject({ kind: 'violated' });
  expect(await again([tooLate, tooLate, undefined], 0, 2000)).toEqual({ kind: 'passed' });
});

test.each([
  [true, 'ever since', Number.POSITIVE_INFINITY],
  [false, 'for ten seconds', 10_000],
] as const)('a check that gets no answer any more is blocked by the target, %s: %s', async (isGone, _what, awayMs) => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  let since: number | undefined;
  const mortal: Deployment = async (request) => {
    if (since === undefined || clock.now() >= since + awayMs) return deployment(request);
    throw new TransportError('refused', 'nothing listens');
  };
  const shared = createSession({ deployment: mortal, target, clock, seed: 1, invariants: [] });
  const unanswered = check('wait.holds', async (api) => {
    const [principal] = target.principals;
    if (principal === undefined) throw new Error('no principal is declared');
    const list = () => api.listModels(as(principal), principal.adminOf[0] ?? '');
    await list();
    since = clock.now();
    await list();
  });
  const verdict = await judge(unanswered, shared);
  expect(verdict.kind === 'blocked' && verdict.fault === 'target').toBe(isGone);
});
