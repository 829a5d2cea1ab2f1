import { type Api, hash } from '../../engine/api.ts';

/**
 * Characters of a random tail: enough that nothing has it, few enough that a time or a shard in front stays sound, and the
 * version and the variant of a UUID.
 */
const tailLength = 12;

/** What the letters and digits are drawn from: none that base32 or base58 leaves out. */
const letters = 'abcdefghjkmnpqrstvwxyz';
const hexLetters = 'abcdef';
const digits = '234567';

/**
 * An ID that nothing has, alike in look to one that is there: prefix, length, and the kind of each character, so that it
 * is refused because nothing has it and not because of its form. The same within a check, another in another check.
 */
export function unknownId({ seed }: Pick<Api, 'seed'>, like: string, label = ''): string {
  const draw = drawer(hash(`${seed} ${like} ${label}`));
  if (/^\d+$/.test(like)) return unknownNumber(like, draw);
  const places = changeable(like);
  if (places.length < 4) return `${like}${Array.from({ length: 8 }, () => pick(letters, draw)).join('')}`;
  const alphabet = /^[0-9a-f-]*$/i.test(like) ? hexLetters : letters;
  const characters = like.split('');
  for (const place of places.slice(-tailLength)) {
    characters[place] = alikeCharacter(characters[place] ?? '', alphabet, draw);
  }
  return characters.join('');
}

/** Two that nothing has: one that looks like an ID that is there, and one in plain words that no validation expects. */
export function unknownIds(api: Api, like: string): readonly [string, string] {
  return [unknownId(api, like), `awc-no-such-thing-${api.session.runId}`];
}

/** Short numbers are given out one after another, so that one of nine digits is none of them. */
function unknownNumber(like: string, draw: () => number): string {
  const kept = like.length < 9 ? '9' : like.slice(0, 2);
  const length = Math.max(9, like.length) - kept.length;
  return kept + Array.from({ length }, () => pick('0123456789', draw)).join('');
}

/** The places of the letters and digits that say which one it is: not the prefix. */
function changeable(id: string): readonly number[] {
  const prefix = /^[A-Za-z]{1,12}[^A-Za-z0-9]+/.exec(id)?.[0].length ?? 0;
  return Array.from(id.matchAll(/[A-Za-z0-9]/g), ({ index }) => index).filter((place) => place >= prefix);
}

function alikeCharacter(character: string, alphabet: string, draw: () => number): string {
  if (/\d/.test(character)) return pick(digits, draw);
  const drawn = pick(alphabet, draw);
  return character === character.toUpperCase() ? drawn.toUpperCase() : drawn;
}

function pick(alphabet: string, draw: () => number): string {
  return alphabet.charAt(draw() % alphabet.length);
}

/** Whole numbers from a seed. */
function drawer(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return hash(`${seed} ${count}`);
  };
}
