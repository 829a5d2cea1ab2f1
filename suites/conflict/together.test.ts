import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.other-chat/at-once';

/** Answers 409 to the second of several messages that arrive at the same instant, so many times. */
function refusing(times: number): (behind: Deployment, clock: Clock) => Deployment {
  return (behind, clock) => {
    let lastAt = Number.NEGATIVE_INFINITY;
    let refusedAt = Number.NEGATIVE_INFINITY;
    let refused = 0;
    return async (request) => {
      const isMessage = request.method === 'POST' && request.path.includes('/messages');
      const isTogether = isMessage && clock.now() === lastAt;
      if (isMessage) lastAt = clock.now();
      if (!isTogether || clock.now() === refusedAt || refused === times) return behind(request);
      refusedAt = clock.now();
      refused += 1;
      const body = Buffer.from('{"error":{"title":"Conflict","detail":"A response is being generated."}}');
      return { status: 409, headers: { 'content-type': 'application/json' }, body };
    };
  };
}

test('only a second refusal of one of several messages at the same instant counts', async () => {
  expect(await saidBy(id, {})).toEqual([]);
  expect(await saidBy(id, { through: refusing(1) })).toEqual([]);
  expect(await saidBy(id, { through: refusing(2) })).toEqual([expect.stringMatching(/^failed: .*409 .*twice/)]);
});

test.each(['organization-locked-for-a-moment', 'three-responses-an-organization', 'lock-of-several-chats'])(
  '%s is found',
  async (fault) => {
    const said = await saidBy(id, { faults: [fault] });
    expect(said).toEqual([expect.stringMatching(/^failed: /)]);
  },
);
