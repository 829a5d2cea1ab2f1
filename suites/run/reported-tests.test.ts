import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { check, type Check } from '../../engine/check.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runSuite } from './run-suite.ts';
import { defineTests, type Reported, type Vitest } from './define-tests.ts';

type Run = Parameters<Vitest['test']>[2];

/** Defines the tests of checks, and returns what starts each of them and resolves to what it reports. */
function defined(checks: readonly Check[], signal?: AbortSignal): readonly (() => Promise<Reported | undefined>)[] {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const tests: { readonly name: string; readonly run: Run }[] = [];
  defineTests({ test: (name, _options, run) => tests.push({ name, run }) }, checks, session, { strict: false });
  const file = { tasks: tests.map(({ name }) => ({ name, mode: 'run' })) };
  return tests.map(({ run }) => async () => {
    const meta: { awc?: Reported } = {};
    const skip = (reason?: string): never => {
      throw new Error(reason);
    };
    await run({ task: { meta, file }, skip, ...(signal === undefined ? {} : { signal }) });
    return meta.awc;
  });
}

test('each observation is reported once, by the first test that ends after it', async () => {
  const observing = (variant: string) =>
    check(
      'paging.limit',
      {
        on: 'listModels',
        variant,
      },
      async (api) => api.session.observe('paging.unknown-cursor', variant),
    );
  const reports = await Promise.all(defined([observing('one'), observing('other')]).map((run) => run()));
  const values = reports.flatMap((report) => report?.observations.map(({ value }) => value));
  expect(values).toEqual(['one', 'other']);
});

test('a check that has not begun when the run is aborted does not run', async () => {
  const over = new AbortController();
  let hasRun = false;
  const [first, second] = defined(
    [
      check('paging.limit', { on: 'listModels' }, async () => over.abort()),
      check('paging.limit', { on: 'listModels', variant: 'last', phase: 'last' }, async () => void (hasRun = true)),
    ],
    over.signal,
  );
  void second?.();
  expect((await first?.())?.check.verdict).toBe('passed');
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(hasRun).toBe(false);
});

test.each([true, undefined] as const)(
  'a record says whether the certificate of the target was not checked: %s',
  async (insecure) => {
    const clock = virtualClock();
    const { deployment, target } = createReference({ clock, seed: 1 });
    const declared = { ...target, tls: { insecure } };
    const session = createSession({ deployment, target: declared, clock, seed: 1, invariants: [] });
    expect((await runSuite(session, [])).target.insecure).toBe(insecure);
  },
);
