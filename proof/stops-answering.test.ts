import { expect, test } from 'vitest';
import { type Clock, virtualClock } from '../core/clock.ts';
import { type Deployment, type HttpResponse, TransportError } from '../core/http.ts';
import { createReference } from '../reference/reference.ts';
import { exitCode } from '../reports/record/exit-code.ts';
import type { RunRecord } from '../reports/record/record.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** The requests that are answered before the deployment goes away. */
const answered = 700;

type Silence = (clock: Clock, timeoutMs: number) => Promise<HttpResponse>;

const silences = {
  'nothing listens': () =>
    Promise.reject(new TransportError('refused', 'No connection could be made: nothing listens.')),
  'connections break': () => Promise.reject(new TransportError('reset', 'The connection ended.')),
  'nothing is answered': async (clock, timeoutMs) => {
    await clock.sleep(timeoutMs);
    throw new TransportError('timeout', 'No answer began.');
  },
  'a gateway answers': () =>
    Promise.resolve({ status: 502, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') }),
} satisfies Readonly<Record<string, Silence>>;

/** A run on a reference that goes away after some requests, for some time or forever. */
function runOn(silence: Silence, awayMs: number, faults: readonly string[] = []): Promise<RunRecord> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults });
  let count = 0;
  let since = Number.POSITIVE_INFINITY;
  const mortal: Deployment = (request) => {
    count += 1;
    if (count === answered) since = clock.now();
    const isAway = count >= answered && clock.now() < since + awayMs;
    return isAway ? silence(clock, request.timeoutMs) : deployment(request);
  };
  const opened = { deployment: mortal, target, clock, seed: 1 };
  return runSuite(openSession(opened, suites), suites, { observed: false });
}

test.each(Object.entries(silences))(
  '%s from some time on: one reason, and the verdicts until then',
  async (_what, silence) => {
    const record = await runOn(silence, Number.POSITIVE_INFINITY);
    const gone = record.checks.filter(({ fault }) => fault === 'target');
    expect(record.checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'errored')).toEqual([]);
    expect(new Set(gone.map(({ reason }) => reason)).size).toBe(1);
    expect(gone[0]).toMatchObject({
      verdict: 'blocked',
      reason: expect.stringMatching(/^the deployment stopped answering during the run: /),
    });
    expect(record.summary.passed).toBeGreaterThan(40);
    expect([record.result, exitCode(record, false), exitCode(record, true)]).toEqual(['no-verdict', 3, 3]);
  },
);

test('a violation that was found before still fails the run', async () => {
  const record = await runOn(silences['connections break'], Number.POSITIVE_INFINITY, ['later-pages-short']);
  expect([record.result, exitCode(record, false)]).toEqual(['nonconformant', 1]);
});

test.each(Object.entries(silences))('%s for some time: the run goes on', async (_what, silence) => {
  const record = await runOn(silence, 20_000);
  expect(record.checks.filter(({ fault, verdict }) => fault === 'target' && verdict === 'blocked')).toEqual([]);
  expect(record.checks.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(record.summary.passed).toBeGreaterThan(250);
});
