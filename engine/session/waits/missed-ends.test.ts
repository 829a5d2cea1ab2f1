import { expect, test } from 'vitest';
import { createReference } from '../../../reference/reference.ts';
import { Api, as } from '../../api.ts';
import { virtualClock } from '../../../core/clock.ts';
import { createSession } from '../session.ts';
import { missedEnds, noteEnd } from './missed-ends.ts';

type Ended = readonly [afterMs: number, status: number];

/** Sends each key's requests with wait=5, one after the other, to a deployment that answers them so; and gives what they showed. */
async function endsOf(keys: readonly (readonly Ended[])[]) {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const left = keys.flat();
  const deployment = async () => {
    const [afterMs, status] = left.shift() ?? [0, 500];
    await clock.sleep(afterMs);
    return { status, headers: {}, body: new Uint8Array() };
  };
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  for (const requests of keys) {
    const key = api.freshKey();
    for (const index of requests.keys()) {
      const message = { message: target.assistant.quickPrompt, wait: 5, key };
      const answer = await api.sendMessage(as(chat.admin), chat, message);
      noteEnd(session, { key, wait: 5, sentAs: index === 0 ? 'message' : 'repetition' }, answer);
    }
  }
  return missedEnds(session);
}

const quick = [[1200, 200]] as const;

test.each<[string, number, boolean, readonly (readonly Ended[])[]]>([
  ['responses in time', 0, false, [quick, quick]],
  ['a wait that lasts in full, although its response was finished', 1, false, [quick, [[5000, 200]]]],
  [
    'a wait after which a repetition shows at once that the response was finished',
    1,
    false,
    [
      quick,
      [
        [5000, 202],
        [3, 200],
      ],
    ],
  ],
  [
    'a wait that was too short',
    0,
    false,
    [
      quick,
      [
        [5000, 202],
        [900, 200],
      ],
    ],
  ],
  [
    'repetitions of a finished message',
    0,
    false,
    [
      [
        [4000, 200],
        [3, 200],
        [3, 200],
      ],
      [[5000, 200]],
    ],
  ],
  ['a wait whose message is not repeated', 0, true, [quick, [[5000, 202]]]],
])('%s: %i missed, %s that more may be', async (_what, count, mayHaveMissed, keys) => {
  const ends = await endsOf(keys);
  expect(ends?.missed.length).toBe(count);
  expect(ends?.mayHaveMissed).toBe(mayHaveMissed);
});

test('where responses usually take about as long as the wait, a full wait shows nothing', async () => {
  const ends = await endsOf([[[4000, 200]], [[5000, 200]]]);
  expect(ends).toMatchObject({ missed: [], usualMs: 4000, enough: 6 });
});

test('without a response that ended its wait, nothing is known', async () => {
  expect(await endsOf([[[5000, 200]]])).toBeUndefined();
});
