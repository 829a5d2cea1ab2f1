import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.other-chat/at-once';

/** Answers 409 to the second of two messages that arrive at the same instant, so many times. */
function refusing(times: number): (behind: Deployment, clock: Clock) => Deployment {
  return (behind, clock) => {
    let lastAt = Number.NEGATIVE_INFINITY;
    let refused = 0;
    return async (request) => {
      const isMessage = request.method === 'POST' && request.path.includes('/messages');
      const isTogether = isMessage && clock.now() === lastAt;
      if (isMessage) lastAt = clock.now();
      if (!isTogether || refused === times) return behind(request);
      refused += 1;
      const body = Buffer.from('{"error":{"title":"Conflict","detail":"A response is being generated."}}');
      return { status: 409, headers: { 'content-type': 'application/json' }, body };
    };
  };
}

test('only a second refusal of one of two messages at the same instant counts', async () => {
  expect(await saidBy(id, {})).toEqual([]);
  expect(await saidBy(id, { through: refusing(1) })).toEqual([]);
  expect(await saidBy(id, { through: refusing(2) })).toEqual([expect.stringMatching(/^failed: .*409 .*twice/)]);
});

test('a lock of the organization that is held for a moment is found', async () => {
  const said = await saidBy(id, { faults: ['organization-locked-for-a-moment'] });
  expect(said).toEqual([expect.stringMatching(/^failed: /)]);
});
