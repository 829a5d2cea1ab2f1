import fc from 'fast-check';

/** The last two are 1 where an integer of 32 or of 64 bits runs over. */
export const wrongWaits = [
  '0',
  '301',
  '-1',
  '1.5',
  'abc',
  '1s',
  'true',
  'NaN',
  'Infinity',
  '4294967297',
  `${2n ** 64n + 1n}`,
];

/** Waits that are no integer from 1 to 300, however they are read. */
export const wrongWait = fc.oneof(
  fc.integer({ min: 301, max: 2 ** 31 }).map(String),
  fc.integer({ min: -(2 ** 31), max: 0 }).map(String),
  fc
    .tuple(fc.integer({ min: 1, max: 299 }), fc.integer({ min: 1, max: 9 }))
    .map(([whole, tenths]) => `${whole}.${tenths}`),
  fc.stringMatching(/^[a-z]{1,8}$/),
);
