import fc from 'fast-check';
import { hash } from '../../core/hash.ts';

export const maxKeyLength = 255;

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Characters that a header carries unchanged. The list excludes quotation marks, commas and semicolons, which have a meaning in some headers. */
const keyAlphabet = `-${lettersAndDigits}_.:'/+=~@!*&?#$`;

/** The first character of a key and what follows its fresh part, and the length of the whole key. */
export type DrawnKey = { readonly content: string; readonly length: number };

export const longestKey: DrawnKey = { content: keyAlphabet.repeat(4), length: maxKeyLength };

/** Longer than a UUID. */
const leastDrawn = 40;

/** For {@link plainKey}. */
export const drawnKey: fc.Arbitrary<DrawnKey> = fc.record({
  content: fc.string({ unit: fc.constantFrom(...lettersAndDigits), minLength: maxKeyLength, maxLength: maxKeyLength }),
  length: fc.integer({ min: leastDrawn, max: maxKeyLength }),
});

/** A key and how it differs from another one. */
export type KeyVariant = readonly [what: string, key: string];

/**
 * Texts of equal length that have the same hashes, whatever stands before and after them. Of a hash that lacks this property,
 * such as a truncated SHA-256, a collision would have to be searched for each key of each run.
 */
const collisions = [
  ['es5r', 'fRtS', 'a hash of 31 times the hash before, and to the checksums of Fletcher and Adler'],
  ['AfmPDJNdGLsEJPChn', 'BFKqDIpBgnQfJOeHM', 'a hash of 33 or 65599 times the hash before'],
  ['dkdldkeleleldedkkldleldl', 'hfhdkeadddajheofkncjgfoi', 'CRC-16, CRC-32 and CRC-32C'],
] as const;

/** Content that a careless comparison changes. */
const delicate = String.raw`%41  A-\-${collisions.map(([text]) => text).join('-')}-a+b-`;

/** A key of six characters, derived from the fresh key: few runs of one chat make the same. */
export function shortKey(fresh: string): string {
  return hash(`six ${fresh}`).toString(36).padStart(6, '0').slice(-6);
}

export function shapedKey(fresh: string, { content, length }: DrawnKey): string {
  return `${content.slice(0, 1)}${fresh}-${content.slice(1)}`.slice(0, length);
}

/** A key of letters and digits alone, such as a digest. */
export function plainKey(fresh: string, drawn: DrawnKey): string {
  return shapedKey(fresh, drawn).replaceAll('-', 'Z');
}

/** A key of the maximum length that ends with O. Its spaces and its backslash are optional, because some deployments refuse them. */
export function delicateKey(fresh: string, isWhole: boolean): string {
  const content = isWhole ? delicate : delicate.replace('  ', '').replace('\\', '');
  return `${`${fresh}-${content}${keyAlphabet.repeat(4)}`.slice(0, maxKeyLength - 1)}O`;
}

/** Keys that a careless comparison treats as equal to a delicate key: each differs in one respect. */
export function variantsOf(key: string): readonly KeyVariant[] {
  const last = key.length - 1;
  const variants: readonly KeyVariant[] = [
    ['with 0 for O as its last character', changedAt(key, last, '0')],
    ['with its first character changed', changedAt(key, 0)],
    ['with its last two characters exchanged', `${key.slice(0, -2)}${key.slice(last)}${key.slice(-2, -1)}`],
    ['in lower case', key.toLowerCase()],
    ['without its last character', key.slice(0, -1)],
    ['without its first character', key.slice(1)],
    ['without its hyphens', key.replaceAll('-', '')],
    ['with a wildcard of SQL for its last character', changedAt(key, last, '_')],
    ['with dashes for underscores', key.replaceAll('_', '-')],
    // What leaves all punctuation out finds the same.
    ['with dashes for its punctuation', key.replaceAll(/[^A-Za-z0-9]/g, '-')],
    ['with its escape undone', key.replace('%41', 'A')],
    ['with spaces for plus signs', key.replaceAll('+', ' ')],
    ['with one space for two', key.replace('  ', ' ')],
    ['without its digits', key.replaceAll(/\d/g, '')],
    ['without its asterisks', key.replaceAll('*', '')],
    ['without its backslashes', key.replaceAll('\\', '')],
    ['cut to 64 characters', key.slice(0, 64)],
    ...collisions.map(([text, other, what]): KeyVariant => [
      `with ${other} for ${text}, the same to ${what}`,
      key.replace(text, other),
    ]),
  ];
  return variants.filter(([, variant]) => variant !== key);
}

export function changedAt(key: string, index: number, to = key[index] === 'x' ? 'y' : 'x'): string {
  return `${key.slice(0, index)}${to}${key.slice(index + 1)}`;
}

/**
 * A number derived from the fresh key, with so many digits that a double cannot distinguish it from the next number, and few
 * enough for a 64-bit integer: languages that compare texts as numbers compare longer ones as texts.
 */
export function longNumber(fresh: string): string {
  const digits = [0, 1].map((place) => String(hash(`${place} ${fresh}`)).padStart(10, '0'));
  return `8${digits.join('').slice(-17)}`;
}

/** A number derived from the fresh key that fits in a 32-bit integer. */
export function shortNumber(fresh: string): string {
  return `8${String(hash(`short ${fresh}`))
    .padStart(8, '0')
    .slice(-8)}`;
}

/** A hexadecimal number of 32 digits, some of them letters, derived from the fresh key. */
export function hexadecimalKey(fresh: string): string {
  const parts = [0, 1, 2, 3].map((place) => hash(`${place} ${fresh}`).toString(16).padStart(8, '0'));
  return `abcdef${parts.join('').slice(6)}`;
}

/** A random UUID (version 4) by its form, derived from the fresh key. */
export function uuidKey(fresh: string): string {
  return hexadecimalKey(fresh).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/** Keys that are equal as UUIDs. */
export function uuidVariantsOf(key: string): readonly KeyVariant[] {
  return [
    ['in upper case', key.toUpperCase()],
    ['in braces', `{${key}}`],
    ['as a URN', `urn:uuid:${key}`],
  ];
}

/** Keys that are equal as numbers. */
export function numericVariantsOf(key: string): readonly KeyVariant[] {
  return [
    [
      'with its last digit changed, the same number to 53 bits',
      changedAt(key, key.length - 1, key.endsWith('4') ? '5' : '4'),
    ],
    ['with a fraction of zero', `${key}.0`],
    ['with a sign', `+${key}`],
  ];
}

/** Keys that are equal to a reader that trims a key or takes a part of it. */
export function partialVariantsOf(key: string): readonly KeyVariant[] {
  return [
    ['with a leading zero', `0${key}`],
    ['with a dot at its end', `${key}.`],
    ['with a hyphen at its end', `${key}-`],
    ['with a slash at its end', `${key}/`],
    ['with a slash before it', `/${key}`],
    ['with an equals sign at its end', `${key}=`],
    ['with an escaped space at its end', `${key}%20`],
    ...[',', ';', ' ', '#', '?', '&', ':', '|'].map((mark): KeyVariant => [
      `with "${mark}1" at its end`,
      `${key}${mark}1`,
    ]),
  ];
}
