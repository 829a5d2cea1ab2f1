import { hash } from '../../core/hash.ts';
import type { Principal } from '../../core/target.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Api, Caller } from '../../engine/api.ts';
import { keyholder } from './place.ts';

const classes = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const;

/** Sends no credential. */
export const withoutKey: Caller = { name: 'no key', authorization: undefined };

/** A caller with a wrong credential; `name` says what is wrong with it. */
export function withCredential(name: string, authorization: string): Caller {
  return { name, authorization };
}

/** A valid key, but not as a bearer credential, as services accept it that read headers by themselves. */
export function likelySchemes(key: string): readonly Caller[] {
  return [
    withCredential('a valid key under Basic', `Basic ${key}`),
    withCredential('a valid key as the user of Basic', `Basic ${base64Of(`${key}:`)}`),
    withCredential('a valid key under no scheme', key),
  ];
}

/** The same in forms that are accepted less often. */
export function unlikelySchemes(key: string): readonly Caller[] {
  return [
    withCredential('a valid key under Token', `Token ${key}`),
    withCredential('a valid key under ApiKey', `ApiKey ${key}`),
    // What reads any scheme that begins with Bearer takes this, too.
    withCredential('a valid key behind a colon', `Bearer: ${key}`),
    withCredential('a valid key under a scheme that ends with Bearer', `XBearer ${key}`),
    withCredential('a valid key under a part of the word Bearer', `Bear ${key}`),
    withCredential('a valid key as the password of Basic', `Basic ${base64Of(`api:${key}`)}`),
    withCredential('a valid key right after Bearer, without a space', `Bearer${key}`),
  ];
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Shorter keys have parts and forms that may be other keys. */
const leastRewritten = 8;

/** The key in forms that a careless look-up takes for the key itself. */
export function rewrittenKeys(key: string, issued: readonly Principal[]): readonly Caller[] {
  if (key.length < leastRewritten) return [];
  const [start, rest] = [firstHalf(key), key.slice(firstHalf(key).length)];
  const place = placeOf(key, /[A-Za-z0-9]/, start.length);
  const [named, other] = key.includes('-') ? ['-', '_'] : ['_', '-'];
  const forms = [
    ['in percent-encoding', `%${Buffer.from(key.slice(0, 1)).toString('hex')}${key.slice(1)}`],
    ['in base64', base64Of(key)],
    ['in quotation marks', `"${key}"`],
    ['after another Bearer', `Bearer ${key}`],
    ['before another word', `${key} x`],
    ['with a space in its middle', `${start} ${rest}`],
    ['without its first half', rest],
    ['with _ for one of its characters', withCharacter(key, place, '_')],
    [`with ${other} for ${named}`, key.replace(named, other)],
    ['between dots', `.${key}.`],
    ['without the prefix that names its kind', withoutKind(key)],
    ['with the beginning in the other case', otherCase(start.slice(0, 4)) + key.slice(4)],
    ...(mixesCases(key) ? [['in capitals', key.toUpperCase()] as const] : []),
  ] as const;
  return forms
    .filter(([, form]) => issued.every((other) => other.key !== form))
    .map(([how, form]) => withCredential(`a valid key ${how}`, `Bearer ${form}`));
}

/**
 * The key without the words that begin it, such as `sk_live_`. What follows them may have such signs, too. Where no words begin it,
 * without all before its last `_`.
 */
function withoutKind(key: string): string {
  const words = /^(?:(?:[a-z]{1,8}|[A-Z]{1,8})[_.-]){1,2}/.exec(firstHalf(key))?.[0];
  return words === undefined ? key.replace(/^.*_/, '') : key.slice(words.length);
}

/** The key in lower case, where that is surely another key. */
export function inLowerCase(key: string, issued: readonly Principal[]): readonly Caller[] {
  const lower = key.toLowerCase();
  if (key.length < leastRewritten || !mixesCases(key) || issued.some((other) => other.key === lower)) return [];
  return [withCredential('a valid key in lower case', `Bearer ${lower}`)];
}

/** No key, but headers that claim that a proxy forwards a request from the server itself. */
const fromItself: Caller = {
  name: 'no key, forwarded from 127.0.0.1',
  authorization: undefined,
  elsewhere: { headers: { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' }, query: '' },
};

/** Sends no credential, like a browser that opens the address. */
export const browser: Caller = {
  name: 'no key, from a browser',
  authorization: undefined,
  elsewhere: { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, query: '' },
};

/** Sends no credential, and writes a letter of every path as an escape: a filter may compare paths as they were sent, and the router decoded ones. */
export const escaping: Caller = {
  name: 'no key, by a path with an escaped letter',
  authorization: undefined,
  rewritten: (path) => path.replace('/public/', '/%70ublic/'),
};

/** Longer cookies may be refused because of their length. */
export const longestCookie = 4096;

/** Names under which services keep a key or a session in a cookie, the usual ones first. */
const cookieNames = ['token', 'session', 'api_key', 'access_token', 'apiKey', 'auth_token', 'auth', 'sid', 'jwt'];

/** The key under as many of the names as fit, but at least under the first. */
function cookieOf(encoded: string): string {
  const fits = (cookie: string): boolean => cookie.length <= longestCookie;
  return cookieNames
    .map((name) => `${name}=${encoded}`)
    .reduce((cookie, pair) => (fits(`${cookie}; ${pair}`) ? `${cookie}; ${pair}` : cookie));
}

/**
 * Callers without a bearer credential who send the key in other places, or an address that may be trusted: first in all of them at
 * once, then in each alone.
 */
export function keyElsewhere(key: string, operation: Operation): readonly [Caller, ...Caller[]] {
  // The stand-in of a key in a recording begins with $, which needs no encoding.
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('%24', '$');
  const headers = { 'x-api-key': key, 'api-key': key, apikey: key, 'x-auth-token': key, 'x-access-token': key };
  const cookie = { cookie: cookieOf(encoded) };
  const query = ['api_key', 'apiKey', 'access_token', 'token', 'key'].map((name) => `${name}=${encoded}`).join('&');
  const hasBody = operation === 'sendMessage' || operation === 'attachOrganization';
  const fields = { api_key: key, apiKey: key, access_token: key, token: key };
  const from = (name: string, elsewhere: Caller['elsewhere'] & {}): Caller => ({
    name: `a valid key in ${name} alone`,
    authorization: undefined,
    elsewhere,
  });
  return [
    from(hasBody ? 'X-API-Key, a cookie, the query and the body' : 'X-API-Key, a cookie and the query', {
      headers: { ...headers, ...cookie, ...fromItself.elsewhere?.headers },
      query,
      ...(hasBody && { fields }),
    }),
    from('headers such as X-API-Key', { headers, query: '' }),
    from('a cookie', { headers: cookie, query: '' }),
    from('the query', { headers: {}, query }),
    ...(hasBody ? [from('the body', { headers: {}, query: '', fields })] : []),
    fromItself,
  ];
}

/** The same caller with a wrong bearer credential: a server may then look for a key in other places. */
export function beside(wrong: Caller, elsewhere: Caller): Caller {
  return { ...elsewhere, name: `${wrong.name} and ${elsewhere.name}`, authorization: wrong.authorization };
}

/** Attempts to draw a look-alike: for a very short key, a draw may equal the key itself. */
const maxDraws = 8;

/** A caller with an unknown key. */
export function unknownKey(api: Api): Caller {
  return withCredential('an unknown key', `Bearer ${unknownKeyLike(keyholder(api).key, api.seed)}`);
}

/**
 * An unknown key with the length, prefix and character classes of a real one. Beyond the prefix it depends only on
 * these and the seed: reports show it and the seed, and the real key must not be deducible from them.
 */
export function unknownKeyLike(key: string, seed: number): string {
  const prefix = /^.{0,12}[_.-]/.exec(key.slice(0, key.length / 2))?.[0].length ?? 0;
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const unknown = key
      .split('')
      .map((character, place) => (place < prefix ? character : drawnLike(character, hash(`${seed} ${draw} ${place}`))))
      .join('');
    if (unknown !== key) return unknown;
  }
  return `${key}x`;
}

export function firstHalf(key: string): string {
  return key.slice(0, Math.ceil(key.length / 2));
}

/** The key without its last character. In base64 the characters `=` at the end may count for nothing, so they go too. */
export function withoutEnd(key: string, issued: readonly Principal[]): readonly Caller[] {
  const shorter = key.replace(/.=*$/, '');
  if (key.length < leastRewritten || issued.some((other) => other.key === shorter)) return [];
  return [withCredential('a valid key without its last character', `Bearer ${shorter}`)];
}

/**
 * The key with one character changed, each time another one: about the middle, at three quarters, at the end, the last one,
 * the case of a letter where the key mixes cases, and the first one, which may belong to a prefix that is not compared.
 */
export function alteredKeys(key: string): readonly string[] {
  const places = [Math.floor(key.length / 2), Math.floor((key.length * 3) / 4)]
    .filter((place, index) => index === 0 || place < key.length - 4)
    .map((from) => placeOf(key, /[A-Za-z0-9]/, from));
  const ending = /[A-Za-z0-9](?=[^A-Za-z0-9]*.=*$)/.exec(key.slice(firstHalf(key).length));
  const last = ending === null ? [] : [firstHalf(key).length + ending.index];
  const replaced = [...new Set([...places, ...last])].map((place) =>
    withCharacter(key, place, otherCharacter(key.charAt(place))),
  );
  const letter = placeOf(key, /[A-Za-z]/, firstHalf(key).length);
  const recased = mixesCases(key) ? [withCharacter(key, letter, otherCase(key.charAt(letter)))] : [];
  const first = placeOf(key, /[A-Za-z0-9]/, 0);
  const headless = withCharacter(key, first, otherCharacter(key.charAt(first)));
  return [...new Set([...replaced, ...withOtherEnd(key), ...recased, headless])].filter((altered) => altered !== key);
}

/** The key with two characters exchanged, so that the sum of all stays the same; the key itself if it is the same everywhere. */
export function withTwoExchanged(key: string): string {
  const start = firstHalf(key).length;
  return key.slice(0, start) + key.slice(start).replace(/([A-Za-z0-9])(?!\1)([A-Za-z0-9])/, '$2$1');
}

/**
 * The key with one character changed, in each of some turns another one, from its beginning to its end. Of a letter only the case
 * changes where the key mixes cases.
 */
export function alteredInTurn(key: string, turn: number, turns: number): string {
  const place = placeOf(key, /[A-Za-z0-9]/, Math.floor((key.length * (2 * turn + 1)) / (2 * turns + 1)));
  const character = key.charAt(place);
  const isLetter = /[A-Za-z]/.test(character);
  return withCharacter(key, place, isLetter && mixesCases(key) ? otherCase(character) : otherCharacter(character));
}

/** Whether the case of its letters surely counts: a key of one case may be a hexadecimal number. */
function mixesCases(key: string): boolean {
  const tail = key.slice(firstHalf(key).length);
  return /[a-z]/.test(tail) && /[A-Z]/.test(tail);
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The key with another last character. In base64 only its first two bits surely count, so the first one is changed. Hexadecimal
 * digits stay hexadecimal.
 */
function withOtherEnd(key: string): readonly string[] {
  const place = key.search(/[A-Za-z0-9+/_-]=*$/);
  if (place <= 0) return [];
  const last = key.charAt(place);
  const isHexadecimal = /^[0-9a-f]{8,}$/i.test(key.slice(-8));
  const startsWithZero = base64.indexOf(last.replace('+', '-').replace('/', '_')) < base64.length / 2;
  return [withCharacter(key, place, isHexadecimal ? otherCharacter(last) : startsWithZero ? '7' : 'B')];
}

/** The first place of such a character from `from` on; `from` itself if there is none. */
function placeOf(key: string, wanted: RegExp, from: number): number {
  const ahead = key.slice(from).search(wanted);
  return ahead < 0 ? from : from + ahead;
}

function withCharacter(key: string, place: number, character: string): string {
  return key.slice(0, place) + character + key.slice(place + 1);
}

/** A character of the same kind, so that a check of the form alone lets it pass. */
function drawnLike(character: string, draw: number): string {
  const alphabet = classes.find((members) => members.includes(character));
  if (alphabet === undefined) return /[\x21-\x7e]/.test(character) ? character : 'x';
  return alphabet.charAt(draw % alphabet.length);
}

/** Another character of the same kind; it reveals only which character the original is not. */
function otherCharacter(character: string): string {
  return drawnLike(character, drawnLike(character, 0) === character ? 1 : 0);
}

function otherCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}
