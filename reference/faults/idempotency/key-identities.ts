import { faultsOf } from '../shared/faults-of.ts';
import { identifiedBy } from './idempotency-keys.ts';

/** A hash that adds each character to a multiple of the hash before it. */
function polynomial(factor: number, bits: number): (key: string) => string {
  const mask = 2 ** bits - 1;
  return (key) =>
    `${[...key].reduce((hash, one) => ((Math.imul(hash, factor) + one.charCodeAt(0)) & mask) >>> 0, 5381)}`;
}

/** A cyclic redundancy check with a reflected polynomial. */
function cyclic(divisor: number, start: number): (key: string) => string {
  return (key) => {
    let rest = start;
    for (const one of key) {
      rest ^= one.charCodeAt(0);
      for (let bit = 0; bit < 8; bit += 1) rest = (rest & 1) === 1 ? (rest >>> 1) ^ divisor : rest >>> 1;
    }
    return `${rest >>> 0}`;
  };
}

/** Fletcher's checksum of 16 bits: the sum of the characters, and the sum of these sums. */
function fletcher(key: string): string {
  let sum = 0;
  let sums = 0;
  for (const one of key) {
    sum = (sum + one.charCodeAt(0)) % 255;
    sums = (sums + sum) % 255;
  }
  return `${256 * sums + sum}`;
}

/** The choice under which a limit refuses most of several messages in a row. */
const rarelyPassing = { 'rate-window': ['spaced'] };

/** A UUID or a hexadecimal number as its digits. */
function plain(key: string): string {
  return key.replaceAll(/[{}]/g, '').toLowerCase();
}

/** What else is taken for the same key. */
export const keyIdentityFaults = faultsOf({
  'idempotency.opaque': {
    'short-key-as-number': {
      sentence: 'A key of up to nine digits is stored as an integer and loses its leading zeros.',
      alter: identifiedBy((key) => (/^0*\d{1,9}$/.test(key) ? `${Number(key)}` : key)),
    },
    'key-ends-at-comma': {
      sentence: 'The header of the key is read as a list, and its first element is the key.',
      alter: identifiedBy((key) => key.split(',')[0] || key),
    },
    'key-ends-at-semicolon': {
      sentence: 'A semicolon in a key begins parameters, which are ignored.',
      alter: identifiedBy((key) => key.split(';')[0] || key),
    },
    'key-ends-at-space': {
      sentence: 'A key ends at its first space.',
      alter: identifiedBy((key) => key.split(' ')[0] || key),
    },
    'key-cut-to-254': {
      sentence: 'Keys are compared by their first 254 characters.',
      alter: identifiedBy((key) => key.slice(0, 254)),
    },
    'key-spaces-collapsed': {
      sentence: 'Several spaces in a key become one.',
      alter: identifiedBy((key) => key.replaceAll(/ +/g, ' ')),
    },
    'key-is-a-file-name': {
      sentence: 'A key is used as a file name, so only the part after its last slash counts.',
      alter: identifiedBy((key) => key.split('/').at(-1) || key),
    },
    'key-slashes-trimmed': {
      sentence: 'Slashes at both ends of a key are removed.',
      alter: identifiedBy((key) => key.replaceAll(/^\/+|\/+$/g, '') || key),
    },
    'key-plus-is-space': {
      sentence: 'A key is decoded like a form, in which + stands for a space.',
      alter: identifiedBy((key) => key.replaceAll('+', ' ')),
    },
    'key-is-a-slug': {
      sentence: 'A key is turned into a slug, in which a hyphen stands for each punctuation mark.',
      idle: rarelyPassing,
      alter: identifiedBy((key) => key.replaceAll(/[^A-Za-z0-9]/g, '-')),
    },
    'key-punctuation-trimmed': {
      sentence: 'Punctuation at both ends of a key is removed.',
      alter: identifiedBy((key) => key.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '') || key),
    },
    'key-without-padding': {
      sentence: 'The padding of base64 is removed from the end of a key.',
      alter: identifiedBy((key) => key.replace(/=+$/, '') || key),
    },
    'key-hashed-by-33': {
      sentence: 'Only a hash of a key by Bernstein (times 33) of 32 bits is stored.',
      alter: identifiedBy(polynomial(33, 32)),
    },
    'key-hashed-to-16-bits': {
      sentence: 'Only the lower 16 bits of the hash code of a key are stored.',
      alter: identifiedBy(polynomial(31, 16)),
    },
    'key-in-crc-32': {
      sentence: 'Only the CRC-32 of a key is stored.',
      alter: identifiedBy(cyclic(0xedb88320, -1)),
    },
    'key-in-crc-16': {
      sentence: 'Only the CRC-16 of a key is stored, as for the slots of a cluster.',
      alter: identifiedBy(cyclic(0xa001, 0xffff)),
    },
    'key-in-checksum': {
      sentence: 'Only a checksum of a key is stored, the sum of its characters and of these sums.',
      alter: identifiedBy(fletcher),
    },
    'key-as-uuid': {
      sentence: 'A key that is a UUID is stored as one, so its letters have no case, and braces around it are ignored.',
      idle: rarelyPassing,
      alter: identifiedBy((key) => (/^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(key) ? plain(key) : key)),
    },
    'key-without-braces': {
      sentence: 'Braces around a key are removed.',
      idle: rarelyPassing,
      alter: identifiedBy((key) => key.replaceAll(/^\{|\}$/g, '') || key),
    },
    'key-as-bytes': {
      sentence: 'A key of hexadecimal digits is stored as the bytes that they stand for.',
      idle: rarelyPassing,
      alter: identifiedBy((key) => (/^([0-9a-f]{2})+$/i.test(key) ? plain(key) : key)),
    },
    'key-in-crockford': {
      sentence: 'A key is read as base32 by Crockford, in which O is 0, and I and l are 1.',
      alter: identifiedBy((key) => key.replaceAll('O', '0').replaceAll(/[Il]/g, '1')),
    },
    'key-without-dots': {
      sentence: 'Dots are removed from a key, because it is part of a path in a document.',
      alter: identifiedBy((key) => key.replaceAll('.', '') || key),
    },
    'key-without-asterisks': {
      sentence: 'Asterisks are removed from a key, because a cache reads them as wildcards.',
      alter: identifiedBy((key) => key.replaceAll('*', '') || key),
    },
    'key-without-backslashes': {
      sentence: 'Backslashes are removed from a key, as escapes.',
      alter: identifiedBy((key) => key.replaceAll('\\', '') || key),
    },
    'key-characters-sorted': {
      sentence: 'The characters of a key are combined by exclusive or, so their order does not count.',
      alter: identifiedBy((key) => [...key].toSorted().join('')),
    },
  },
  'idempotency.key-maximum': {
    'key-with-hyphen-first-ignored': {
      sentence: 'A key that begins with a hyphen is mistaken for an option, and ignored.',
      alter: () => ({ key: (key) => (key?.startsWith('-') === true ? undefined : key) }),
    },
    'key-must-be-a-uuid': {
      sentence: 'A key that is no UUID is refused.',
      alter: () => ({ keyAccepted: (key) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key) }),
    },
    'key-with-slash-refused': {
      sentence: 'A key is part of an internal path, so a key with a slash is refused.',
      alter: (rules) => ({
        keyAccepted: (key, request) => rules.keyAccepted(key, request) && !key.includes('/'),
      }),
    },
    'key-of-letters-and-digits': {
      sentence: 'A key may have letters, digits, hyphens, underscores, dots, colons and apostrophes only.',
      alter: (rules) => ({
        keyAccepted: (key, request) => rules.keyAccepted(key, request) && /^[\w.:'-]*$/.test(key),
      }),
    },
  },
});
