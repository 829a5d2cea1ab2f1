import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { givenAccepted, givenSample } from './message-sample.ts';

const body = Buffer.from('{"error":{"title":"Forbidden","detail":"No more messages."}}');

/** A check on the reference, which refuses each message after the first few. */
function acceptingOnly(few: number): Api {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  let left = few;
  const closing: Deployment = async (request) => {
    if (request.method !== 'POST' || left-- > 0) return deployment(request);
    return { status: 403, headers: { 'content-type': 'application/json' }, body };
  };
  return new Api(createSession({ deployment: closing, target, clock, seed: 1, invariants: [] }), 'test');
}

test('a chat that accepts no message blocks what is said about accepted ones', async () => {
  await expect(givenSample(acceptingOnly(0))).rejects.toThrow('accepts no message');
});

test('only accepted messages of the sample count', async () => {
  expect(await givenAccepted(acceptingOnly(1))).toHaveLength(1);
  expect((await givenAccepted(acceptingOnly(1000))).length).toBeGreaterThan(2);
});
