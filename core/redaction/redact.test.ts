import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';
import { disguises } from '../../testing/disguises.ts';

const key = 'awc_test_"7bQz/K9x+Lm2Vt4~Rw8Yp';
const redactor = createRedactor([
  { key, variable: '$AWC_KEY_ALICE' },
  { key: 'awc_test_0000111122223333444455', variable: '$AWC_KEY_BOB' },
]);

test.each([
  ['as it is', `Bearer ${key}`, 'Bearer $AWC_KEY_ALICE'],
  ['percent-encoded', `?key=${encodeURIComponent(key)}&x`, '?key=$AWC_KEY_ALICE&x'],
  [
    'percent-encoded in lower case',
    encodeURIComponent(key).replace(/%../g, (hex) => hex.toLowerCase()),
    '$AWC_KEY_ALICE',
  ],
  ['escaped as JSON', JSON.stringify({ key }), '{"key":"$AWC_KEY_ALICE"}'],
  ['escaped as JSON, solidus too', JSON.stringify(key).replaceAll('/', '\\/'), '"$AWC_KEY_ALICE"'],
  ['two keys', `${key},awc_test_0000111122223333444455`, '$AWC_KEY_ALICE,$AWC_KEY_BOB'],
  ['twice in a row', key + key, '$AWC_KEY_ALICE$AWC_KEY_ALICE'],
  ['without its end', `no key ${key.slice(0, -1)} here`, 'no key $AWC_KEY_ALICE… here'],
  ['with one character changed', `${key.slice(0, 14)}_${key.slice(15)}`, '$AWC_KEY_ALICE…_$AWC_KEY_ALICE…'],
  ['nothing of it', 'an awc_test key', 'an awc_test key'],
])('a key %s is taken out', (_what, text, expected) => {
  expect(redactor.text(text)).toBe(expected);
});

test('a key that is left empty takes nothing out', () => {
  const { text } = createRedactor([{ key: '', variable: '$AWC_KEY_BOB' }]);
  expect(text('alice, "" and a=')).toBe('alice, "" and a=');
});

test.each(['', 'a', 'al', 'alice:'])('base64 after %j shows no part of a key', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const shown = redactor.text(`Basic ${Buffer.from(`${before}${key}:x`).toString(encoding)}`);
    expect(shown).toContain('$AWC_KEY_ALICE');
    expect(Buffer.from(shown.replace('$AWC_KEY_ALICE', ''), 'base64').toString()).not.toMatch(/7bQz|Lm2V|Rw8Y/);
  }
});

test('a part of a third and more is never shown, wherever it is cut', () => {
  for (let start = 0; start < key.length; start += 1) {
    for (let end = start + 11; end <= key.length; end += 1) {
      expect(redactor.text(`<${key.slice(start, end)}>`)).toMatch(/^<\$AWC_KEY_ALICE…?>$/);
    }
  }
});

test('pieces say which characters of the key stood there', () => {
  expect(redactor.pieces(`x${key.slice(0, 20)}`)).toEqual([
    { kind: 'literal', text: 'x' },
    { kind: 'secret', variable: '$AWC_KEY_ALICE', whole: false, part: { start: 0, end: 20 } },
  ]);
});

test.each(disguises)('a key as %s is taken out, whole and in part, and nothing else is', (_what, disguise) => {
  for (const part of [key, key.slice(3), key.slice(0, -9), key.slice(7, 19)]) {
    const shown = redactor.text(`before <${disguise(part).toString()}> after`);
    expect(shown).toMatch(/^before <[^$]{0,12}\$AWC_KEY_ALICE…?[^$]{0,12}> after$/);
  }
});

test.each(['clé_de_Dave_ÿÿ_7402958136', '8c1f52'])('the key %s is taken out in every form', (other) => {
  const { text } = createRedactor([{ key: other, variable: '$K' }]);
  for (const [what, disguise] of disguises) expect(text(disguise(other).toString()), what).toContain('$K');
  for (const encoding of ['latin1', 'utf8'] as const) {
    const bytes = Buffer.from(other, encoding);
    expect(text(bytes.toString('latin1'))).toMatch(/^\$K…?$/);
    expect(text(bytes.toString('hex').replaceAll(/../g, '%$&'))).toMatch(/^\$K…?$/);
  }
});

test('a secret of many lines is taken out in every form', () => {
  const pem = `-----BEGIN-----\n${'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49'.replaceAll(/.{8}/g, '$&\n')}-----END-----\n`;
  const { text } = createRedactor([{ key: pem, variable: '$TLS_KEY' }]);
  for (const shown of [pem, JSON.stringify(pem), encodeURIComponent(pem), pem.replaceAll('\n', '\r\n')]) {
    expect(text(shown)).toMatch(/^"?\$TLS_KEY…?(?:\\n|%0A|\r\n)?"?$/);
  }
});

test('a key of few characters is taken out only as it is', () => {
  const { text } = createRedactor([{ key: 'k1', variable: '$K' }]);
  expect(text('k1 K1 1k 6b31 \\u006b1')).toBe('$K K1 1k 6b31 $K');
});

test('a changed letter is shown, a key whose letters are all changed is not', () => {
  expect(redactor.text(key.replace('Vt', 'vt'))).toBe('$AWC_KEY_ALICE…v$AWC_KEY_ALICE…');
  expect(redactor.text(key.toUpperCase())).toBe('$AWC_KEY_ALICE…');
});

/** The least processor time of a few tries, in milliseconds: other processes do not count. */
function durationOf(work: () => void): number {
  const durations = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...durations);
}

test('a part between characters that no header can have is taken out', () => {
  const { text } = createRedactor([{ key: '\u20acsecret-of-alice\ufeffand-more', variable: '$K' }]);
  expect(text('<secret-of-alice> <and-more>')).toBe('<$K…> <and-more>');
});

test.each(['ab', '\ufeff\u20ac'])('the time is linear in keys and text that repeat %j', (atom) => {
  const periodic = (length: number) => {
    const principals = [0, 1, 2, 3].map((shift) => ({ key: `${shift}${atom.repeat(length / 8)}`, variable: '$K' }));
    const text = `${atom.repeat(Math.floor(length / 25))}c `.repeat(100);
    return durationOf(() => void createRedactor(principals).pieces(text));
  };
  const short = periodic(4_000);
  expect(periodic(32_000)).toBeLessThan(32 * short);
});

test('short keys and texts full of near misses are handled, without keys nothing changes', () => {
  expect(createRedactor([{ key: 'k1', variable: '$K' }]).text('a k1, k2')).toBe('a $K, k2');
  expect(createRedactor([]).text(key)).toBe(key);
  const long = redactor.text('awc_test'.repeat(400_000));
  expect(long.length).toBeLessThan(1_100_000);
});
