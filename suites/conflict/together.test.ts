import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment, HttpResponse } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

const id = 'conflict.other-chat/at-once';

/** The answer to a message that arrives at the same instant as one before, by its round and its place in it. */
type Answering = (at: { readonly round: number; readonly place: number }) => HttpResponse | undefined;

/** Answers some of several messages that arrive at the same instant, but never the first of them. */
function answering(say: Answering): (behind: Deployment, clock: Clock) => Deployment {
  return (behind, clock) => {
    let [lastAt, round, place] = [Number.NEGATIVE_INFINITY, -1, 0];
    return async (request) => {
      if (request.method !== 'POST' || !request.path.includes('/messages')) return behind(request);
      place = clock.now() === lastAt ? place + 1 : 0;
      // The second message shows that several arrive.
      if (place === 1) round += 1;
      lastAt = clock.now();
      return (place > 0 ? say({ round, place }) : undefined) ?? behind(request);
    };
  };
}

const conflict = {
  status: 409,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":{"title":"Conflict","detail":"A response is being generated."}}'),
};

test.each([
  [[2], []],
  [[1, 3], []],
  [[1, 1], [expect.stringMatching(/^failed: .*409 .*twice/)]],
  [[1, 3, 1], [expect.stringMatching(/^failed: .*409 .*twice/)]],
  [[1, 2, 3], [expect.stringMatching(/^failed: .*409 each of 3 times/)]],
])('of several messages at the same instant, those at these places are refused: %j', async (places, expected) => {
  const through = answering(({ round, place }) => (place === places[round] ? conflict : undefined));
  expect(await saidBy(id, { through })).toEqual(expected);
});

test('only a second refusal of one of several messages at the same instant counts', async () => {
  expect(await saidBy(id, {})).toEqual([]);
  const refusing = (times: number) =>
    answering(({ round, place }) => (place === 1 && round < times ? conflict : undefined));
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

const failed = errorAnswer(500);
const busy: HttpResponse = { ...errorAnswer(503), headers: { ...failed.headers, 'retry-after': '1' } };

test.each<[string, Answering, readonly unknown[]]>([
  ['one fails inside once', ({ round, place }) => (round === 0 && place === 2 ? failed : undefined), []],
  ['all but one fail inside each time', () => failed, [expect.stringMatching(/^failed: .*for most of 5 messages/)]],
  ['all but two are too many each time', ({ place }) => (place > 1 ? busy : undefined), []],
  [
    'one fails inside once, and then one chat is refused twice',
    ({ round, place }) => {
      if (round === 0 && place === 2) return failed;
      return round > 1 && place === 1 ? conflict : undefined;
    },
    [expect.stringMatching(/^failed: .*409 .*twice/)],
  ],
])('of several messages at the same instant, %s', async (_what, say, expected) => {
  expect(await saidBy(id, { through: answering(say) })).toEqual(expected);
});
