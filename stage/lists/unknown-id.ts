import { hash } from '../../core/hash.ts';
import { type Api } from '../../engine/api.ts';

/**
 * The length of the random tail: long enough to be unique, short enough to keep a time or a shard at the start, and the
 * version and variant of a UUID.
 */
const tailLength = 12;

/** The letters and digits to draw from, without those that base32 or base58 leaves out. */
const letters = 'abcdefghjkmnpqrstvwxyz';
const hexLetters = 'abcdef';
const digits = '234567';

/**
 * An ID that does not exist, with the prefix, the length and the kinds of characters of one that does, so that it is refused
 * because it does not exist and not because of its form. It is the same within a check and differs between checks.
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

/** Two IDs that do not exist: one that looks like an existing ID, and one in plain words. */
export function unknownIds(api: Api, like: string): readonly [string, string] {
  return [unknownId(api, like), inPlainWords(api)];
}

/** An ID that does not exist, in plain words that no validation expects. */
export function inPlainWords({ session }: Pick<Api, 'session'>): string {
  return `awc-no-such-thing-${session.runId}`;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Numbers in hexadecimal, as some databases make them, and ULIDs: their readers take letters of both cases. */
const caseless = [uuid, /^[0-9a-f]{16,}$/i, /^[0-7][0-9a-hjkmnp-tv-z]{25}$/i];

/** The ID with its letters in the other case; undefined if it has none, or its case means nothing, as that of a UUID (RFC 9562). */
export function inOtherCase(id: string): string | undefined {
  const swapped = id.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return swapped === id || caseless.some((form) => form.test(id)) ? undefined : swapped;
}

/** The shortest ID that is cut, in characters: the beginning of a shorter one may be another ID. */
const leastCut = 8;

/** The ID without its last character; undefined where that may mean the same, or a shorter text, as of base64. */
function cutShort(id: string): string | undefined {
  const isCut = id.length >= leastCut && /^[\x21-\x7e]*[A-Za-z0-9]$/.test(id) && !isTextInBase64(id);
  return isCut ? id.slice(0, -1) : undefined;
}

/** Whether the ID is a text in base64, such as `DataSource:41`: without its end it may be `DataSource:4`. */
function isTextInBase64(id: string): boolean {
  return /^[\x20-\x7e]+$/.test(Buffer.from(id, 'base64').toString('latin1'));
}

/** Whether the ID seems to end in a number that is counted, as in `chat-12` and `org12`, so that it is another ID without its last digit. */
function isCounted(id: string): boolean {
  return /(^|[^A-Za-z0-9])[A-Za-z]*\d+$/.test(id);
}

/** The ID without its last character; undefined where that may be another ID, or the same. */
export function beginningOf(id: string, others: readonly string[], known: 'all' | 'some'): string | undefined {
  const cut = cutShort(id);
  if (cut === undefined || (known === 'some' && isCounted(id))) return undefined;
  return others.some((other) => other !== id && other.startsWith(cut)) ? undefined : cut;
}

/** The least random characters of an ID: then one with another last character most likely does not exist. */
const leastRandom = 8;
/** The shortest beginning of an ID that is asked for, in characters. */
const leastBeginning = 6;

/**
 * An ID that is nearly this one, for a read: with another last character, or, if IDs like it are counted, without its number and the
 * character before that. It may exist, so only what belongs to this ID must not be shown. Undefined for a short ID.
 */
export function nearlyId(id: string): string | undefined {
  const beginning = id.replace(/\d+$/, '').slice(0, -1);
  if (isCounted(id)) return beginning.length < leastBeginning ? undefined : beginning;
  const last = id.at(-1) ?? '';
  if (changeable(id).length < leastRandom || !/[A-Za-z0-9]/.test(last)) return undefined;
  const alphabet = ['0123456789', hexLetters, letters].find((some) => some.includes(last.toLowerCase())) ?? letters;
  const place = alphabet.indexOf(last.toLowerCase()) + alphabet.length / 2;
  const other = alphabet.charAt(Math.floor(place) % alphabet.length);
  return id.slice(0, -1) + (/[A-Z]/.test(last) ? other.toUpperCase() : other);
}

/** IDs that resemble it: with one more character, and without its last one and in the other case if these are no other IDs. */
export function resemblingIds(id: string, others: readonly string[]): readonly string[] {
  const nearly = [`${id}x`, beginningOf(id, others, 'some') ?? id, inOtherCase(id) ?? id];
  return nearly.filter((one) => one !== id && !others.includes(one));
}

/** Whether the ID is surely no other way to write one that it resembles: all identifiers are strings. */
export function isSurelyAnother(id: string, like: string): boolean {
  return like.startsWith(id) || id === inOtherCase(like);
}

/**
 * What a store that folds or cuts texts, or looks for their beginning, takes for the ID: in the other case, and cut short, or with a
 * space after it if it is neither. None of them is one of the `others`, and a request that finds the ID by one of them finds no other.
 */
export function inexactIds(id: string, others: readonly string[], known: 'all' | 'some'): readonly string[] {
  const rest = others.filter((other) => other !== id);
  const [folded, cut, swapped] = [id.toLowerCase(), beginningOf(id, others, known), inOtherCase(id)];
  const isAlone = rest.every((other) => other.trim().toLowerCase() !== folded);
  const nearly = [...(isAlone && swapped !== undefined ? [swapped] : []), ...(cut === undefined ? [] : [cut])];
  return nearly.length === 0 && isAlone ? [`${id} `] : nearly;
}

/** Short numbers are assigned one after another, so a number of nine digits is unused. */
function unknownNumber(like: string, draw: () => number): string {
  const kept = like.length < 9 ? '9' : like.slice(0, 2);
  const length = Math.max(9, like.length) - kept.length;
  return kept + Array.from({ length }, () => pick('0123456789', draw)).join('');
}

/** The indexes of the letters and digits that identify it, without the prefix. */
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
