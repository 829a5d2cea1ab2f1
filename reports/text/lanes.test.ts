import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawLanes, lanesText } from './lanes.ts';

const message = (caller: string, sentMs: number, answeredMs: number, shows = 'message') => ({
  caller,
  request: 'sendMessage',
  shows,
  answer: '202',
  sentMs,
  answeredMs,
});

const overlap = {
  requests: [
    message('alice', 0, 4000, 'message 1'),
    message('alice', 1000, 1010, 'message 2'),
    message('bob', 2000, 3000, 'message 3'),
    message('bob', 3500, 3600, 'message 4'),
  ],
  failsMs: 4000,
};

test('a caller whose requests overlap has several lanes', () => {
  const lanes = drawLanes(overlap).lanes.map(({ caller, requests }) => [caller, requests.map(({ number }) => number)]);
  expect(lanes).toEqual([
    ['alice', [1]],
    ['alice', [2]],
    ['bob', [3, 4]],
  ]);
});

test('the lanes show each request from sending to answer, and where every order fails', () => {
  expect(lanesText(overlap)).toEqual([
    'alice          [1==================================================]···',
    'alice          ·············[2]····································!···',
    'bob            ··························[3===========]·····[4]····!···',
    '                                                                   !',
    '! At 4.0 s, with the answer to request 1, no order of the requests explains their answers any more.',
    '1. sendMessage (message 1): 202, from 0 ms to 4.0 s',
    '2. sendMessage (message 2): 202, from 1.0 s to 1.0 s',
    '3. sendMessage (message 3): 202, from 2.0 s to 3.0 s',
    '4. sendMessage (message 4): 202, from 3.5 s to 3.6 s',
  ]);
});

test('a request that follows at once, and one that is sent when every order fails, are visible', () => {
  const requests = [
    message('erin', 0, 1000),
    message('erin', 1000, 1001),
    message('erin', 1001, 1002),
    message('erin', 3995, 4000),
    message('erin', 4000, 4001),
  ];
  expect(drawn({ requests, failsMs: 4000 })).toEqual([
    'erin           [1===========================================]··~··[4]··',
    'erin           ·············································[2]~··[5]··',
    'erin           ·············································[3]~··!····',
    '                                                                  !',
  ]);
});

test('long idle time is left out, so that the requests that overlap fill the drawing', () => {
  const requests = [
    message('alice', 0, 24),
    message('alice', 2, 25),
    message('alice', 30, 35),
    message('alice', 17_000, 17_005),
  ];
  expect(lanesText({ requests, failsMs: 17_005 }).slice(0, 5)).toEqual([
    'alice          [1=========================]······[3===]···~··[4====]···',
    'alice          ··[2========================]··············~········!···',
    '                                                                   !',
    '~ stands for time in which no request was open: 17.0 s.',
    '! At 17.0 s, with the answer to request 4, no order of the requests explains their answers any more.',
  ]);
});

const requestOf = fc
  .tuple(
    fc.constantFrom('alice', 'bob'),
    fc.oneof(fc.nat(40), fc.nat(5000), fc.nat()),
    fc.oneof(fc.nat(5), fc.nat(5000)),
  )
  .map(([caller, sentMs, took]) => message(caller, sentMs, sentMs + took));

test('every request is visible with its number, and no two are in one place', () => {
  fc.assert(
    fc.property(fc.array(requestOf, { minLength: 1, maxLength: 40 }), fc.nat(), (unordered, which) => {
      const requests = unordered.toSorted((one, other) => one.sentMs - other.sentMs);
      const failsMs = requests[which % requests.length]?.answeredMs ?? 0;
      const rows = drawn({ requests, failsMs });
      const numbers = rows.flatMap((row) => [...row.matchAll(/\[(\d+)[=!]*\]/g)].map(([, number]) => Number(number)));
      expect(numbers.toSorted((one, other) => one - other)).toEqual(requests.map((_, index) => index + 1));
      expect(rows.at(-1)).toMatch(/^ +!$/);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(71);
    }),
  );
});

/** The lines of the drawing itself. */
function drawn(record: Parameters<typeof lanesText>[0]): readonly string[] {
  const lines = lanesText(record);
  return lines.slice(
    0,
    lines.findIndex((line) => /^[~!] /.test(line)),
  );
}
