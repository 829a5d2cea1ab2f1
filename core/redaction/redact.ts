import type { Secret, Target } from '../target.ts';
import { createMatcher, type Match } from './matcher.ts';
import { createDecoder, unescaped, type View } from './views.ts';

/** A piece of text: literal, or the place of a secret. */
export type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'secret';
      /** The replacement of the key, such as `$AWC_KEY_ALICE`. */
      readonly variable: string;
      /** Whether the text contained the whole key, as it is or encoded. */
      readonly whole: boolean;
      /** The characters of the key that the text contained as they are; undefined if they were changed or encoded. */
      readonly part?: { readonly start: number; readonly end: number };
    };

/** Removes keys from text. All output goes through a redactor. */
export type Redactor = {
  readonly pieces: (text: string) => readonly Piece[];
  /** The text with `$VARIABLE` for a key and `$VARIABLE…` for a part of one; cut after {@link maxTextLength} characters. */
  readonly text: (text: string) => string;
};

/** The maximum length of a redacted text, in UTF-16 units. */
const maxTextLength = 1024 * 1024;

/** The shortest part of a key that is redacted, in characters. A shorter key is redacted whole. */
const leastPart = 8;

/** A key that is shorter is found only as it is: in other forms, common text would look like it. */
const leastEncoded = 6;

/** How often an encoding can be inside another: base64 or hexadecimal, and escapes in each of them. */
const maxEncodings = 2;
const maxEscapes = 3;

/** Headers and paths repeat with every request: what was found in short texts is kept, for so many of so many UTF-16 units. */
const mostKept = 1000;
const mostKeptLength = 256;

/** The most letters of a key that are shown if their case alone was changed: checks change one to get a wrong key. */
const mostChanged = 1;

type Form = {
  readonly text: string;
  readonly variable: string;
  readonly least: number;
  readonly isPlain: boolean;
  readonly isReversed: boolean;
};

/** A part of a form in the text, `from` to `to`. */
type Hit = {
  readonly from: number;
  readonly to: number;
  readonly form: Form;
  readonly start: number;
  readonly end: number;
  /** Whether the case of all letters is that of the key. */
  readonly isExact: boolean;
  /** Whether the characters are in the text as they are in the form, except for their case. */
  readonly isDirect: boolean;
};

/** Removes every secret of a target, also those that it learns later. */
export function redactorOf({ principals, secrets = [] }: Pick<Target, 'principals' | 'secrets'>): Redactor {
  let known = -1;
  let redactor = createRedactor([]);
  function latest(): Redactor {
    if (known !== secrets.length) redactor = createRedactor([...principals, ...secrets]);
    known = secrets.length;
    return redactor;
  }
  return { pieces: (text) => latest().pieces(text), text: (text) => latest().text(text) };
}

/**
 * Finds every key, and any third of it, because checks send shortened keys on purpose and targets quote parts of them: as it
 * is, in another case, reversed, escaped (JSON, URL, HTML), in UTF-16 or Latin-1, in hexadecimal and in base64 at any
 * alignment and with line breaks, and these in one another. The time is linear in the text, whatever keys and text are.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const forms = secrets.filter(({ key }) => key.length > 0).flatMap(formsOf);
  const hasShort = forms.some(({ least }) => least < leastPart);
  const match = createMatcher(forms);
  const decodings = createDecoder(hasShort ? leastEncoded : leastPart);

  function hitsIn({ text, place }: View, encodings: number, escapes: number): readonly Hit[] {
    const isDirect = encodings === 0 && escapes === 0;
    const own = match(text).flatMap((found) => hitOf(text, found, forms[found.needle], encodings > 0, isDirect) ?? []);
    const plain = escapes < maxEscapes ? unescaped(text) : undefined;
    const inner =
      plain === undefined
        ? (encodings < maxEncodings ? decodings(text) : []).flatMap((view) => hitsIn(view, encodings + 1, 0))
        : hitsIn(plain, encodings, escapes + 1);
    return [...own, ...inner].map((hit) => {
      const [from, to] = place(hit.from, hit.to);
      return { ...hit, from, to };
    });
  }

  const kept = new Map<string, readonly Piece[]>();

  function pieces(text: string): readonly Piece[] {
    if (forms.length === 0) return text === '' ? [] : [{ kind: 'literal', text }];
    const before = kept.get(text);
    if (before !== undefined) return before;
    const found = piecesOf(text, hitsIn({ text, place: (from, to) => [from, to] }, 0, 0));
    if (text.length > mostKeptLength) return found;
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, found);
    return found;
  }

  function redacted(text: string): string {
    const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
    return pieces(cut).map(shownPiece).join('');
  }

  return { pieces, text: redacted };
}

function shownPiece(piece: Piece): string {
  if (piece.kind === 'literal') return piece.text;
  return piece.whole ? piece.variable : `${piece.variable}…`;
}

/**
 * The forms of a key, plain ones first. Those of its bytes find it in bytes that are read as one character each, those without
 * line breaks and escapes find it where these were removed.
 */
function formsOf({ key, variable }: Secret): readonly Form[] {
  const bytes = Buffer.from(key).toString('latin1');
  const written = new Set([key, bytes, unescaped(key)?.text ?? key]);
  return [...written].flatMap((text) => {
    const form = { text, variable, least: leastOf(text), isPlain: text === key, isReversed: false };
    if (key.length < leastEncoded) return [form];
    return [form, { ...form, text: text.split('').toReversed().join(''), isPlain: false, isReversed: true }];
  });
}

function leastOf(text: string): number {
  return Math.min(text.length, Math.max(leastPart, Math.ceil(text.length / 3)));
}

function hitOf(
  text: string,
  { from, to, start }: Match,
  form: Form | undefined,
  isDecoded: boolean,
  isDirect: boolean,
): Hit | undefined {
  if (form === undefined) return undefined;
  const end = start + to - from;
  const isExact = text.slice(from, to) === form.text.slice(start, end);
  if (form.text.length < leastEncoded && (isDecoded || !isExact)) return undefined;
  return { from, to, form, start, end, isExact, isDirect: isDirect && form.isPlain };
}

/** The text in pieces. Of hits that overlap, the first counts, and the longest of those that begin there. */
function piecesOf(text: string, hits: readonly Hit[]): readonly Piece[] {
  const found: Piece[] = [];
  let done = 0;
  const ordered = hits.toSorted((one, other) => one.from - other.from || other.to - one.to);
  for (const hit of ordered.flatMap((each) => unchangedParts(text, each))) {
    if (hit.to <= done) continue;
    if (hit.from > done) found.push({ kind: 'literal', text: text.slice(done, hit.from) });
    found.push(pieceOf(hit, Math.max(0, done - hit.from)));
    done = hit.to;
  }
  if (done < text.length) found.push({ kind: 'literal', text: text.slice(done) });
  return found;
}

/** The piece of a hit without its first characters, which belong to the piece before. */
function pieceOf({ form, start, end, isExact, isDirect }: Hit, missing: number): Piece {
  const { variable } = form;
  const whole = missing === 0 && isExact && !form.isReversed && end - start === form.text.length;
  return isDirect && isExact
    ? { kind: 'secret', variable, whole, part: { start: start + missing, end } }
    : { kind: 'secret', variable, whole };
}

/** A hit without the few letters whose case was changed, so that a command can send the changed key again. */
function unchangedParts(text: string, hit: Hit): readonly Hit[] {
  const { from, start, end, form } = hit;
  if (hit.isExact || !hit.isDirect) return [hit];
  const changed = Array.from({ length: end - start }, (_, at) => at).filter(
    (at) => text[from + at] !== form.text[start + at],
  );
  if (changed.length > mostChanged) return [hit];
  return [...changed, end - start].flatMap((to, index) => {
    const first = index === 0 ? 0 : (changed[index - 1] ?? 0) + 1;
    if (first === to) return [];
    return [{ ...hit, from: from + first, to: from + to, start: start + first, end: start + to, isExact: true }];
  });
}
