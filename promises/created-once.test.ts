import { expect, test } from 'vitest';
import type { Answer } from '../core/exchange.ts';
import { answerTo, jsonResponse } from '../testing/answers/answer-to.ts';
import { accountCreatedOnce } from './billing.ts';

/** The account b, read with that record as the answer. */
function reading(data: unknown): Answer {
  return answerTo('getBillingAccount', jsonResponse(200, { data }), '/api/public/billing-accounts/b');
}

test.each<[string, string, readonly (readonly [string, unknown])[]]>([
  [
    'kept',
    'in two precisions',
    [
      ['b', '2026-01-15T12:00:25.417Z'],
      ['b', '2026-01-15T13:00:25+01:00'],
    ],
  ],
  [
    'broken',
    'by a second',
    [
      ['b', '2026-01-15T12:00:25Z'],
      ['b', '2026-01-15T12:00:26Z'],
    ],
  ],
  [
    'broken',
    'at a third reading',
    [
      ['b', '2026-01-15T12:00:00Z'],
      ['b', '2026-01-15T12:00:00Z'],
      ['b', '2026-02-15T12:00:00Z'],
    ],
  ],
  ['nothing', 'in one reading', [['b', '2026-01-15T12:00:00Z']]],
  [
    'kept',
    'in no way, in a form of unknown instant',
    [
      ['b', '1768478400'],
      ['b', '1768478400'],
    ],
  ],
  [
    'broken',
    'in seconds since 1970',
    [
      ['b', '1768478400.25'],
      ['b', '1768478425'],
    ],
  ],
  [
    'kept',
    'in their rounding',
    [
      ['b', '1768478400.7'],
      ['b', '1768478401'],
    ],
  ],
  [
    'nothing',
    'in a form of unknown instant',
    [
      ['b', 'today'],
      ['b', 'yesterday'],
      ['b', 5],
    ],
  ],
  [
    'nothing',
    'of another account',
    [
      ['b', '2026-01-15T12:00:00Z'],
      ['c', '2026-02-15T12:00:00Z'],
    ],
  ],
])('createdAt of an account is %s where it differs %s', (expected, _how, readings) => {
  const judgement = accountCreatedOnce.judge(readings.map(([id, createdAt]) => reading({ id, createdAt })));
  expect(typeof judgement === 'object' ? 'broken' : (judgement ?? 'nothing')).toBe(expected);
});
