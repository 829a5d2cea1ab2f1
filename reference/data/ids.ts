import type { Random } from '../random.ts';
import type { IdSyntax } from './options.ts';

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const hex = '0123456789abcdef';

function uuid(random: Random): string {
  const digits = random.letters(hex, 31);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(16, 19)}-${digits.slice(19)}`;
}

/** A new ID of a record whose kind has `prefix`, unique in its stream. */
export function newId(syntax: IdSyntax, prefix: string, ordinal: number, random: Random): string {
  const tail = random.letters(base36, 10);
  switch (syntax) {
    case 'mixed':
      if (ordinal % 4 === 0) return uuid(random);
      if (ordinal % 4 === 1) return `${prefix}-${random.letters(base58, 12)}`;
      return ordinal % 4 === 2 ? `${prefix}_${tail}` : `${prefix}.${tail}~${ordinal}`;
    case 'uuid':
      return uuid(random);
    case 'number':
      return String(7_000_000 + ordinal * 1000 + random.integer(0, 999));
    case 'per-organization':
      return String(ordinal);
    case 'long':
      return `${prefix}_${random.letters(base58, 20).repeat(9)}`;
    case 'slash':
    case 'space':
    case 'percent':
    case 'unicode':
    case 'reserved':
    case 'dots':
      return oddId(syntax, prefix, tail);
  }
}

/** Two places of a long list whose IDs differ only in case, if IDs have many formats: legal, and easily confused. */
const twinPlaces = [20, 21] as const;

export function withTwins(syntax: IdSyntax, ids: readonly string[]): readonly string[] {
  const [one, other] = twinPlaces;
  const twin = ids[one]?.replace(/[a-z]+$|[a-z](?=[^a-z]*$)/, (letters) => letters.toUpperCase());
  return syntax === 'mixed' && twin !== undefined && other < ids.length ? ids.with(other, twin) : ids;
}

/** The ID of a named resource, such as an organization: its name in the given syntax. */
export function namedId(syntax: IdSyntax, name: string, random: Random): string {
  switch (syntax) {
    case 'mixed':
    case 'per-organization':
      return name;
    case 'uuid':
      return uuid(random);
    case 'number':
      return String(random.integer(1_000_000_000, 9_999_999_999));
    case 'long':
      return `${name}_${random.letters(base58, 20).repeat(9)}`;
    case 'slash':
    case 'space':
    case 'percent':
    case 'unicode':
    case 'reserved':
    case 'dots':
      return oddId(syntax, name, random.letters(base36, 4));
  }
}

function oddId(
  syntax: 'slash' | 'space' | 'percent' | 'unicode' | 'reserved' | 'dots',
  head: string,
  tail: string,
): string {
  switch (syntax) {
    case 'slash':
      return `${head}/${tail}`;
    case 'space':
      return `${head} ${tail}`;
    case 'percent':
      return `${head}%2F${tail}%`;
    case 'unicode':
      return `${head}·数据😀${tail}`;
    case 'reserved':
      return `${head}?a=1&b=${tail}+#:@[];`;
    case 'dots':
      return `..${head}..${tail}`;
  }
}
