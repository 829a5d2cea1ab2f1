import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { heardMs } from '../../promises/deletion.ts';
import { createReference } from '../../reference/reference.ts';
import { answerTo, jsonResponse } from '../../testing/answers/answer-to.ts';
import { hasHeard, rememberUnshown, untilHeard, untilShown } from './list-lag.ts';

test('once a list never showed a deletion, checks of deletions wait a shorter time, and all others as long as before', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const waited = async (wait: typeof untilHeard) => {
    const answer = answerTo('deleteDataSource', jsonResponse(200, {}));
    const startedAt = clock.now();
    await wait(api, { ...answer, exchange: { ...answer.exchange, receivedAt: startedAt } });
    return clock.now() - startedAt;
  };
  expect([await waited(untilShown), await waited(untilHeard)]).toEqual([heardMs, heardMs]);
  rememberUnshown(api);
  expect(await waited(untilHeard)).toBe(heardMs);
  expect(await waited(untilShown)).toBeLessThan(heardMs / 4);
});

test.each([
  [[heardMs], true],
  [[heardMs - 1], false],
  [[heardMs + 1, heardMs - 1], false],
])('every replica shows a change to requests sent after %j ms: %s', (sent, heard) => {
  const answer = answerTo('listDataSources', jsonResponse(200, {}));
  const changed = { ...answer, exchange: { ...answer.exchange, receivedAt: 5 } };
  const later = sent.map((ms) => ({ ...answer, exchange: { ...answer.exchange, sentAt: 5 + ms } }));
  expect(hasHeard(changed, later)).toBe(heard);
});
