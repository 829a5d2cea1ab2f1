import { expect, test } from 'vitest';
import { virtualClock } from '../../../core/clock.ts';
import type { Exchange } from '../../../core/exchange.ts';
import { createLifeline } from './lifeline.ts';

const clock = virtualClock();
/** Each request is sent a little later than the one before. */
let later = 0;

function exchange(status: number | undefined, operation: Exchange['operation'] = 'listModels'): Exchange {
  return {
    operation,
    caller: 'alice',
    request: { method: 'GET', path: '/', headers: {}, timeoutMs: 1000 },
    sentAt: clock.now() + (later += 0.001),
    receivedAt: clock.now(),
    outcome:
      status === undefined
        ? { kind: 'failed', failure: 'reset', message: 'It broke.' }
        : { kind: 'answered', response: { status, headers: {}, body: new Uint8Array() } },
  };
}

/** Why it is gone, after these answers and failures, if requests that are sent again get those. */
async function whyGone(before: readonly Exchange[], again: (sent: number) => Exchange) {
  let sent = 0;
  const lifeline = createLifeline(clock, () => {
    sent += 1;
    return Promise.resolve(again(sent));
  });
  before.forEach(lifeline.note);
  const startedAt = clock.now();
  const reason = await lifeline.whyGone();
  expect(lifeline.gone()).toBe(reason);
  return { reason, sent, waitedMs: clock.now() - startedAt };
}

test('what fails is not gone where the last request was answered', async () => {
  expect(await whyGone([exchange(200), exchange(undefined), exchange(404)], () => exchange(undefined))).toMatchObject({
    reason: undefined,
    sent: 0,
  });
});

test('what was sent before and is answered late does not show that it is still there', async () => {
  const early = exchange(200);
  const before = [exchange(200, 'listDataSources'), exchange(undefined), early];
  expect((await whyGone(before, () => exchange(undefined))).reason).toMatch(/stopped answering/);
});

test('nothing is known of a deployment that never answered', async () => {
  expect(await whyGone([exchange(undefined)], () => exchange(undefined))).toMatchObject({ reason: undefined, sent: 0 });
});

test('it is there if one of the operations that answered before does so again', async () => {
  const before = [exchange(200), exchange(200, 'listDataSources'), exchange(undefined)];
  expect(await whyGone(before, (sent) => exchange(sent === 2 ? 500 : undefined))).toMatchObject({
    reason: undefined,
    sent: 2,
  });
});

test.each([
  [
    'nothing',
    undefined,
    /stopped answering during the run: It broke\. The first request without an answer was GET \/ as alice$/,
  ],
  ['a gateway', 503, /stopped answering during the run: a gateway answers 503\. The first/],
])('it is gone after a minute in which %s answers', async (_what, status, sentence) => {
  const { reason, waitedMs } = await whyGone([exchange(200), exchange(status)], () => exchange(status));
  expect(reason).toMatch(sentence);
  expect(waitedMs).toBeGreaterThanOrEqual(60_000);
  expect(waitedMs).toBeLessThan(61_000);
});

test('it comes back within a minute', async () => {
  const back = await whyGone([exchange(200), exchange(undefined)], (sent) => exchange(sent > 20 ? 200 : undefined));
  expect(back).toMatchObject({ reason: undefined, sent: 21, waitedMs: 10_000 });
});
