import { expect, test } from 'vitest';
import {
  alteredInTurn,
  alteredKeys,
  firstHalf,
  keyElsewhere,
  longestCookie,
  rewrittenKeys,
  unknownKeyLike,
  withTwoExchanged,
} from './credentials.ts';

const keys = [
  'awc_test_Zk3vQ0pLr8Tn5XyB2mWc7HdJ4sFg9aEuK1iOqRtY',
  'sk-live-00112233445566778899aabbccddeeff',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXkg',
  'c2VjcmV0LWtleS1vZi1hbGljZQ==',
  'key-alice',
  'k1',
];

test.each(keys)('no wrong key made from %s is the key, or changes more than it says', (key) => {
  const altered = alteredKeys(key);
  expect(altered.length).toBeGreaterThan(0);
  for (const other of altered) {
    expect(other).toHaveLength(key.length);
    const changed = [...key].flatMap((character, place) => (character === other[place] ? [] : [place]));
    expect(changed).toHaveLength(1);
  }
  const unknown = unknownKeyLike(key, 1);
  expect(unknown).toHaveLength(key.length);
  expect(unknown).not.toBe(key);
  expect(unknown).not.toBe(unknownKeyLike(key, 2));
  expect(key.startsWith(firstHalf(key))).toBe(true);
  expect(firstHalf(key).length).toBeLessThan(key.length);
});

test.each([
  ['awc_test_Zk3vQ0pLr8Tn5XyB2mWc7HdJ4sFg9aEuK1iOqRtY', 'swaps the case of letters'],
  ['sk-live-00112233445566778899aabbccddeeff', 'keeps the case of letters'],
])('in each turn, another character of %s is changed, which %s', (key, how) => {
  const places = [1, 2, 3, 4, 5].map((turn) => {
    const altered = alteredInTurn(key, turn, 6);
    const [place = -1, ...others] = [...key].flatMap((character, at) => (character === altered[at] ? [] : [at]));
    expect(others).toEqual([]);
    const isRecased = altered.toLowerCase() === key.toLowerCase();
    expect(isRecased).toBe(how.startsWith('swaps') && /[A-Za-z]/.test(key.charAt(place)));
    return place;
  });
  expect(new Set(places).size).toBe(places.length);
});

test.each([
  ['awc_test_Zk3v', 'awc_test_kZ3v'],
  ['00000011', '00000101'],
  ['aaaaaaaa', 'aaaaaaaa'],
])('the two characters of %s that are exchanged differ, and are in its second half', (key, exchanged) => {
  expect(withTwoExchanged(key)).toBe(exchanged);
});

test('a look-alike keeps the prefix and the kinds of characters', () => {
  expect(unknownKeyLike('awc_test_Zk3v', 1)).toMatch(/^awc_[a-z]{4}_[A-Z][a-z]\d[a-z]$/);
});

test('a key of one case is not tried in the other: hexadecimal keys may be read either way', () => {
  expect(alteredKeys('00112233445566778899aabbccddeeff')).toHaveLength(5);
  expect(alteredKeys('00112233445566778899AABBCCDDEEFF')).toHaveLength(5);
  expect(alteredKeys('awc_test_Zk3vQ0pLr8Tn5XyB2mWc7HdJ4sFg9aEuK1iOqRtY')).toHaveLength(6);
  expect(alteredKeys('ak_live_7Qd0f1e2d3c4b5a69788796Zx')).toHaveLength(6);
});

test.each(['awc_test_Zk3vQ0pL', '_k1'])('the first letter or digit of %s is changed once', (key) => {
  const first = key.search(/[a-z0-9]/);
  expect(alteredKeys(key).filter((altered) => altered[first] !== key[first])).toHaveLength(1);
});

test.each([
  ['awc_0123456789abcdef', 'awc_0123456789abcdXf'],
  ['c2VjcmV0LWtleS1vZi1hbGljZQ==', 'c2VjcmV0LWtleS1vZi1hbGljXQ=='],
  ['awc_0123456789abcd-f', 'awc_0123456789abcX-f'],
])('near the end of %s the last character that surely counts is changed', (key, expected) => {
  const shapes = alteredKeys(key).map((altered) => altered.replaceAll(/./g, (c, at) => (c === key[at] ? c : 'X')));
  expect(shapes).toContain(expected);
});

/** The bits that the last character of base64 carries if it stands for the end of one byte. */
function leadingBits(character: string): number {
  const index = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(character);
  return index >> 4;
}

test.each(['c2VjcmV0LWtleS1vZi1hbGljZQ', 'awc_test_Zk3vQ0pLr8Tn5XyB2m7', 'awc_test_Zk3vQ0pLr8Tn5XyB2m_'])(
  'the last character of %s is changed so that base64 reads another byte',
  (key) => {
    const changed = alteredKeys(key).find((altered) => altered.slice(0, -1) === key.slice(0, -1));
    expect(leadingBits(changed?.at(-1) ?? '')).not.toBe(leadingBits(key.at(-1) ?? ''));
  },
);

test('a look-alike shows nothing of the key but its form', () => {
  expect(unknownKeyLike('awc_test_aBcD1234', 1)).toBe(unknownKeyLike('awc_test_zYxW9876', 1));
});

test.each([
  ['sk_live_aB3_dE5-fG7hJ9', 'aB3_dE5-fG7hJ9'],
  ['sk-live-00112233445566778899', '00112233445566778899'],
  ['awc_Zk3vQ0pLr8_Tn5XyB2m', 'Zk3vQ0pLr8_Tn5XyB2m'],
  ['a1b2_c3d4e5f6a7', 'c3d4e5f6a7'],
])('the prefix of %s is cut off where its words end, or at its last underscore', (key, rest) => {
  const forms = rewrittenKeys(key, [{ name: 'alice', key, variable: '', adminOf: [] }]);
  const cut = forms.find(({ name }) => name === 'a valid key without the prefix that names its kind');
  expect(cut?.authorization).toBe(`Bearer ${rest}`);
});

test('a key without a prefix is not sent as one without its prefix', () => {
  const key = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9';
  const forms = rewrittenKeys(key, [{ name: 'alice', key, variable: '', adminOf: [] }]);
  expect(forms.map(({ authorization }) => authorization)).not.toContain(`Bearer ${key}`);
});

test.each([
  [40, 9],
  [1000, 4],
  [5000, 1],
])('a key of %i characters is sent in %i cookies, so that the header is not too long', (length, count) => {
  const [everywhere] = keyElsewhere('k'.repeat(length), 'listModels');
  const { cookie = '' } = everywhere.elsewhere?.headers ?? {};
  const pairs = cookie.split('; ');
  expect(pairs).toHaveLength(count);
  expect(count === 1 || cookie.length <= longestCookie).toBe(true);
  for (const pair of pairs) expect(pair.split('=')[1]).toHaveLength(length);
});
