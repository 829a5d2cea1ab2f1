import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Times = { readonly createdAt: (ms: number, turn: number) => number; readonly date?: (ms: number) => number };

/** Messages whose createdAt is another one, and answers with the header Date. */
const timed =
  ({ createdAt, date }: Times): NonNullable<TrialOptions['through']> =>
  (behind) => {
    const changed = new Map<string, string>();
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/messages') || answer.status > 202) return answer;
      let now = 0;
      const text = Buffer.from(answer.body)
        .toString()
        .replaceAll(/(?<="createdAt":")[^"]+/g, (time) => {
          now = Math.max(now, Date.parse(time));
          const instead = changed.get(time) ?? new Date(createdAt(Date.parse(time), changed.size)).toISOString();
          changed.set(time, instead);
          return instead;
        });
      const headers =
        date === undefined ? answer.headers : { ...answer.headers, date: new Date(date(now)).toUTCString() };
      return { ...answer, headers, body: Buffer.from(text) };
    };
  };

const ahead = (byMs: number) => (ms: number) => ms + byMs;
const since2024 = Date.parse('2024-02-29T10:00:00Z');

test.each<[string, Times, string]>([
  ['5 h behind', { createdAt: ahead(-5 * hourMs) }, '5 h before'],
  ['5 h behind, beside a right Date', { createdAt: ahead(-5 * hourMs), date: ahead(0) }, '5 h before'],
  [
    '5 h behind, beside a Date that stands still',
    { createdAt: ahead(-5 * hourMs), date: () => since2024 },
    '5 h before',
  ],
  ['5.75 h ahead', { createdAt: ahead(5.75 * hourMs) }, '5.75 h after'],
  ['14 h ahead', { createdAt: ahead(14 * hourMs) }, '14 h after'],
  ['500 years ahead', { createdAt: ahead(500 * 365 * dayMs) }, '182500 days after'],
])('createdAt of new messages is %s: a warning', async (_what, times, shift) => {
  const said = await saidBy('messages.created-now', { through: timed(times) });
  expect(said).toEqual([expect.stringMatching(/^warned: expected createdAt of data.userMessage not shifted/)]);
  expect(said[0]).toContain(` ${shift} the time of the answer`);
});

test.each<[string, Times]>([
  ['a minute behind', { createdAt: ahead(-60_000) }],
  ['half an hour ahead', { createdAt: ahead(hourMs / 2) }],
  ['67 min ahead', { createdAt: ahead(67 * 60_000) }],
  ['15 h ahead', { createdAt: ahead(15 * hourMs) }],
  ['as wrong as the Date of the deployment', { createdAt: ahead(-5 * hourMs), date: ahead(-5 * hourMs) }],
  ['right, and Date stands still', { createdAt: ahead(0), date: () => since2024 }],
  ['wrong by another time in each message', { createdAt: (ms, turn) => ms + turn * hourMs }],
])('createdAt of new messages is %s: no warning', async (_what, times) => {
  expect(await saidBy('messages.created-now', { through: timed(times) })).toEqual([]);
});

test('createdAt of new messages is always the same: the clock stands still', async () => {
  const said = await saidBy('messages.created-now', { through: timed({ createdAt: () => since2024 }) });
  expect(said).toEqual([expect.stringMatching(/^blocked: .*its clock may stand still$/)]);
});
