/** A text in the form in which it may hold a secret, and where its parts were in the text it was made of. */
export type View = {
  readonly text: string;
  /** The place of characters `from` to `to`, in the text it was made of. */
  readonly place: (from: number, to: number) => readonly [from: number, to: number];
};

/** Escapes of JSON, programming languages, URLs and HTML, line breaks with the indentation after them, and zero bytes. */
const escapes = new RegExp(
  [
    String.raw`\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}|\\["'\\/bft]`,
    '%[0-9a-f]{2}',
    '&#[0-9]{1,7};?|&#x[0-9a-f]{1,6};?|&[a-z]{2,8};',
    String.raw`(?:[\r\n]|\\[rn])(?:[\r\n\t ]|\\[rnt])*|\0+`,
  ].join('|'),
  'gi',
);

/** The named entities of characters that keys contain. */
const entities: ReadonlyMap<string, string> = new Map(
  (
    `amp & lt < gt > quot " apos ' excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , hyphen - period . sol / ` +
    'colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] hat ^ lowbar _ grave ` lcub { lbrace { ' +
    'vert | verbar | rcub } rbrace } tilde ~'
  )
    .matchAll(/(\S+) (\S)/g)
    .map(([, name = '', character = '']) => [name, character] as const),
);

/** The text without escapes, as bytes where the escape is one of a byte; undefined if it contains none. */
export function unescaped(text: string): View | undefined {
  escapes.lastIndex = 0;
  if (!escapes.test(text)) return undefined;
  const places = once(() => placesOf(text));
  return {
    text: text.replace(escapes, meaningOf),
    place: (from, to) => [places().starts[from] ?? 0, places().ends[to - 1] ?? text.length],
  };
}

function meaningOf(escape: string): string {
  if (escape.startsWith('\\')) return ofBackslash(escape.slice(1));
  if (escape.startsWith('%')) return ofCode(escape.slice(1), 16);
  if (!escape.startsWith('&')) return '';
  const name = escape.slice(1).replace(';', '').toLowerCase();
  if (!name.startsWith('#')) return entities.get(name) ?? escape;
  return name.startsWith('#x') ? ofCode(name.slice(2), 16) : ofCode(name.slice(1), 10);
}

function ofBackslash(rest: string): string {
  if (/^[ux]/i.test(rest)) return ofCode(rest.replaceAll(/[ux{}]/gi, ''), 16);
  return /^[bfnrt]/i.test(rest) ? '' : rest;
}

function ofCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

/** Where each character of the text without escapes began and ended. */
function placesOf(text: string): { readonly starts: readonly number[]; readonly ends: readonly number[] } {
  const starts: number[] = [];
  const ends: number[] = [];
  let done = 0;
  function keep(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      starts.push(at);
      ends.push(at + 1);
    }
  }
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    keep(done, index);
    done = index + escape.length;
    for (let unit = 0; unit < meaningOf(escape).length; unit += 1) {
      starts.push(index);
      ends.push(done);
    }
  }
  keep(done, text.length);
  return { starts, ends };
}

/** Reads what a text holds in base64 and in hexadecimal, from `leastBytes` bytes on, as characters of one byte each. */
export function createDecoder(leastBytes: number): (text: string) => readonly View[] {
  const base64 = new RegExp(`[A-Za-z0-9+/_-]{${Math.ceil((leastBytes * 4) / 3)},}`, 'g');
  const hex = new RegExp(`(?:[0-9a-f]{2}[ :,-]?){${leastBytes},}`, 'gi');
  return (text) => [
    ...decoded(text, { runs: base64, without: undefined, encoding: 'base64', digits: 4, bytes: 3 }),
    ...decoded(text, { runs: hex, without: /[ :,-]/g, encoding: 'hex', digits: 2, bytes: 1 }),
  ];
}

type Coding = {
  readonly runs: RegExp;
  /** What separates digits in a run. */
  readonly without: RegExp | undefined;
  readonly encoding: 'base64' | 'hex';
  /** So many digits are so many bytes. */
  readonly digits: number;
  readonly bytes: number;
};

/** All runs of digits one after the other, so that an encoding with line breaks is read too, from each digit of a group on. */
function decoded(text: string, { runs, without, encoding, digits, bytes }: Coding): readonly View[] {
  const found = text.match(runs);
  if (found === null) return [];
  const joined = found.join('');
  const compact = without === undefined ? joined : joined.replaceAll(without, '');
  const places = once(() => digitPlaces(text, runs, without));
  return Array.from({ length: digits }, (_, before) => ({
    text: Buffer.from(compact.slice(before), encoding).toString('latin1'),
    place: (from: number, to: number) => {
      const first = before + Math.floor((from * digits) / bytes);
      const last = before + Math.ceil((to * digits) / bytes) - 1;
      return [places()[first] ?? 0, (places()[last] ?? text.length - 1) + 1] as const;
    },
  }));
}

function digitPlaces(text: string, runs: RegExp, without: RegExp | undefined): readonly number[] {
  const places: number[] = [];
  for (const { 0: run, index } of text.matchAll(runs)) {
    for (let at = 0; at < run.length; at += 1) {
      if (without === undefined || run.charAt(at).search(without) < 0) places.push(index + at);
    }
  }
  return places;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
