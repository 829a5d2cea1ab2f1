import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { baseUrl, entryAt, harOf } from '../testing/try-traffic.ts';
import { readTraffic } from './read-traffic.ts';
import { trafficRecord } from './traffic-record.ts';

const list = { data: [], pagination: { hasMore: false, nextCursor: null } };
const whole = entryAt(0, 'GET', 'org_1/models', list);
const { content, ...response } = whole.response;
const unread = { ...whole, response: { ...response, content: { ...content, text: undefined } } };

test.each([
  ['are judged as a whole', [whole, whole], 'Nothing was sent. 2 of 2 recorded requests are judged.'],
  [
    'lack their body',
    [whole, unread],
    'Nothing was sent. 2 of 2 recorded requests are judged, 1 of them by status only, because bodies were not recorded whole.',
  ],
  [
    'are left out',
    [whole, entryAt(0, 'GET', 'org_1/charts', {}), entryAt(0, 'GET', 'org_1/models?sort=name', {}), null],
    'Nothing was sent. 1 of 4 recorded requests is judged; left out: 1 that are no entries, 1 for other operations, 1 with parameters or for media types that the specification does not know.',
  ],
])('the record says how many requests %s', (_how, entries, note) => {
  const traffic = readTraffic(harOf(entries), { baseUrl, keyHeader: undefined });
  const record = trafficRecord(traffic, {
    name: 'a.har',
    checks: suites,
    keyHeader: undefined,
    strict: false,
    waivers: [],
    startedAt: 0,
    durationMs: () => 1,
  });
  expect(record.notes).toEqual([note]);
});
