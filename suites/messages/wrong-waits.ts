import fc from 'fast-check';

/** The nearest waits out of range. */
export const outOfRange = ['0', '301'];

/** The last two become 1 when a 32-bit or 64-bit integer overflows. */
export const wrongWaits = ['-1', '1.5', '1s', 'Infinity', '4294967297', `${2n ** 64n + 1n}`];

/** Waits that are not an integer from 1 to 300 in any reading. */
export const wrongWait = fc.oneof(
  fc.integer({ min: 301, max: 2 ** 31 }).map(String),
  fc.integer({ min: -(2 ** 31), max: 0 }).map(String),
  fc
    .tuple(fc.integer({ min: 1, max: 299 }), fc.integer({ min: 1, max: 9 }))
    .map(([whole, tenths]) => `${whole}.${tenths}`),
  fc.stringMatching(/^[a-z]{1,8}$/),
);
