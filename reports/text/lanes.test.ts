import { expect, test } from 'vitest';
import { lanesOf, lanesText } from './lanes.ts';

const message = (caller: string, sentMs: number, answeredMs: number, shows: string) => ({
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
  const lanes = lanesOf(overlap).map(({ caller, requests }) => [caller, requests.map(({ number }) => number)]);
  expect(lanes).toEqual([
    ['alice', [1]],
    ['alice', [2]],
    ['bob', [3, 4]],
  ]);
});

test('the lanes show each request from sending to answer, and where every order fails', () => {
  expect(lanesText(overlap)).toEqual([
    'alice          [1=====================================================!',
    'alice          ··············[2]······································!',
    'bob            ····························[3============]······[4]···!',
    'At 4.0 s, with the answer to request 1, no order of the requests explains their answers any more.',
    '1. sendMessage (message 1): 202, from 0 ms to 4.0 s',
    '2. sendMessage (message 2): 202, from 1.0 s to 1.0 s',
    '3. sendMessage (message 3): 202, from 2.0 s to 3.0 s',
    '4. sendMessage (message 4): 202, from 3.5 s to 3.6 s',
  ]);
});
