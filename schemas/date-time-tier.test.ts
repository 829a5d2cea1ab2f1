import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateTimeTier } from './date-time-tier.ts';

const TIERS = {
  rfc3339: [
    '2026-03-04T05:06:07Z',
    '2026-03-04t05:06:07z',
    '2026-03-04T05:06:07.0Z',
    `2026-03-04T05:06:07.${'123456789'.repeat(20)}Z`,
    '2026-03-04T05:06:07+00:00',
    '2026-03-04T05:06:07-00:00',
    '2026-03-04T05:06:07.5+23:59',
    '2026-03-04T05:06:07-12:30',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2016-12-31T23:59:60Z',
    '1990-12-31T15:59:60-08:00',
    '2017-01-01T05:29:60.5+05:30',
  ],
  iso8601: [
    '2026-03-04T05:06Z',
    '2026-03-04T05:06+02:00',
    '2026-03-04T05:06:07+0200',
    '2026-03-04T05:06:07+02',
    '2026-03-04T05:06:07',
    '2026-03-04T05:06:07.089',
    '2026-03-04T05:06',
    '2026-03-04T05',
    '2026-03-04T05Z',
    '2026-03-04T05.5Z',
    '2026-03-04T05:06.5Z',
    '2026-03-04T05:06:07,089Z',
    '2026-03-04T24:00:00Z',
    '2026-03-04T24:00:00.000Z',
    '2026-03-04T24:00',
    '20260304T050607Z',
    '20260304T050607.089+0200',
    '20260304T0506',
    '2026-063T05:06:07Z',
    '2024-366T05:06:07Z',
    '2026063T050607Z',
    '2026-W10-3T05:06:07Z',
    '2026W103T050607Z',
    '2026-W53-7T05:06:07Z',
    '2020-W53-5T05:06:07Z',
    '2016-12-31T15:59:60',
    '+002026-03-04T05:06:07Z',
    '-000044-03-15T12:00:00Z',
    '2026-03-04 05:06:07Z',
    '2026-03-04 05:06:07.089+02:00',
  ],
  invalid: [
    '',
    ' ',
    'yesterday',
    '1772600767',
    '2026-03-04',
    '12026-03-04T05:06:07Z',
    '12026-063T05:06:07Z',
    '12026-W10-3T05:06:07Z',
    '2026-03-041T05:06:07Z',
    '2026-0631T05:06:07Z',
    '2026-W10-31T05:06:07Z',
    '05:06:07Z',
    'T05:06:07Z',
    '2026-03-04T',
    '2026-03-04TZ',
    '2026-02-30T05:06:07Z',
    '2026-02-29T05:06:07Z',
    '1900-02-29T05:06:07Z',
    '2026-04-31T05:06:07Z',
    '2026-13-04T05:06:07Z',
    '2026-00-04T05:06:07Z',
    '2026-03-00T05:06:07Z',
    '2026-03-32T05:06:07Z',
    '20260230T050607Z',
    '2026-366T05:06:07Z',
    '2026-000T05:06:07Z',
    '2025-W53-1T05:06:07Z',
    '2026-W00-1T05:06:07Z',
    '2026-W10-8T05:06:07Z',
    '2026-W10-0T05:06:07Z',
    '2026-03-04T25:00:00Z',
    '2026-03-04T24:00:01Z',
    '2026-03-04T24:01:00Z',
    '2026-03-04T24:00:00.001Z',
    '2026-03-04T05:60:00Z',
    '2026-03-04T05:06:61Z',
    '2026-03-04T12:34:60Z',
    '2016-12-31T23:59:60+02:00',
    '2026-03-04T05:06:07+24:00',
    '2026-03-04T05:06:07+02:60',
    '2026-03-04T05:06:07+2',
    '2026-03-04T05:06:07.Z',
    '2026-03-04T5:06:07Z',
    '2026-3-4T05:06:07Z',
    '26-03-04T05:06:07Z',
    '2026-03-04T05:06:07ZZ',
    '2026-03-04T05:06:07 Z',
    ' 2026-03-04T05:06:07Z',
    '2026-03-04T05:06:07Z\n',
    '2026-03-04 05:06:07',
    '2026-03-04  05:06:07Z',
    '2026-03-04T050607Z',
    '20260304T05:06:07Z',
    '2026-0304T05:06:07Z',
    '2026-03-04T05:0607Z',
    '2026/03/04T05:06:07Z',
    '2026-03-04T05:06:07 UTC',
    'Wed, 04 Mar 2026 05:06:07 GMT',
    '2026-03-04T05:06:07Z/2026-03-05T05:06:07Z',
    'P1DT2H',
    '٢٠٢٦-03-04T05:06:07Z',
    '2026-03-04T05:06:07Z\u0000',
    '\ud800',
    'T'.repeat(1_000_000),
    `2026-03-04T05:06:07.${'1'.repeat(1_000_000)}`.concat('x'),
  ],
} as const;

for (const [tier, texts] of Object.entries(TIERS)) {
  test.each(texts.map((text) => [text.slice(0, 60), text] as const))(`${tier}: %j`, (_title, text) => {
    expect(dateTimeTier(text)).toBe(tier);
  });
}

test('every instant that JavaScript writes is RFC 3339, or ISO 8601 with a year of six digits', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      const text = date.toISOString();
      expect(dateTimeTier(text)).toBe(/^\d{4}-/.test(text) ? 'rfc3339' : 'iso8601');
    }),
  );
});

test('the calendar is the one JavaScript has, also by ordinal date and by week', () => {
  const digits = (value: number, width: number) => String(value).padStart(width, '0');
  for (let year = 1999; year <= 2030; year += 1) {
    const leap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
    expect(dateTimeTier(`${year}-366T00:00Z`), `day 366 of ${year}`).toBe(leap ? 'iso8601' : 'invalid');
    // 28 December is always in the last week of its year; the Thursday of a week decides the year of that week.
    const thursday = new Date(Date.UTC(year, 11, 31));
    thursday.setUTCDate(31 + 4 - (thursday.getUTCDay() === 0 ? 7 : thursday.getUTCDay()));
    const hasWeek53 = thursday.getUTCFullYear() === year && Math.ceil(dayOfYear(thursday) / 7) === 53;
    expect(dateTimeTier(`${year}-W53-1T00:00Z`), `week 53 of ${year}`).toBe(hasWeek53 ? 'iso8601' : 'invalid');
    for (let month = 1; month <= 12; month += 1) {
      const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
      const day = (value: number) => dateTimeTier(`${year}-${digits(month, 2)}-${digits(value, 2)}T00:00:00Z`);
      expect([day(last), day(last + 1)], `${year}-${month}`).toEqual(['rfc3339', 'invalid']);
    }
  }
});

function dayOfYear(date: Date): number {
  return (date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000 + 1;
}

test('no text makes it throw', () => {
  const piece = fc.constantFrom(
    '2026',
    '-',
    '03',
    '04',
    'T',
    't',
    '05',
    ':',
    '07',
    '.',
    ',',
    '5',
    'Z',
    '+',
    '24',
    'W',
    ' ',
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (value) => {
      expect(['rfc3339', 'iso8601', 'invalid']).toContain(dateTimeTier(value));
    }),
  );
});
