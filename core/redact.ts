import type { Secret, Target } from './target.ts';

/** A piece of text: literal, or the place of a secret. */
export type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'secret';
      /** The replacement of the key, such as `$AWC_KEY_ALICE`. */
      readonly variable: string;
      /** `plain`: characters `start` to `end` of the key as it is; otherwise it was encoded. */
      readonly form: 'plain' | 'encoded';
      readonly start: number;
      readonly end: number;
      /** Whether the text contained the whole key. */
      readonly whole: boolean;
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

type Form = {
  readonly text: string;
  readonly variable: string;
  readonly form: 'plain' | 'encoded';
  readonly least: number;
};

/** Removes every secret of a target. */
export function redactorOf({ principals, secrets = [] }: Pick<Target, 'principals' | 'secrets'>): Redactor {
  return createRedactor([...principals, ...secrets]);
}

/**
 * Finds every key in plain form, percent-encoded, JSON-escaped and in base64 at any alignment, and also any third of it:
 * checks send shortened keys on purpose, and targets quote parts of them.
 */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const forms = secrets.filter(({ key }) => key.length > 0).flatMap(({ key, variable }) => formsOf(key, variable));
  const pattern = new RegExp([...blocksOf(forms)].map(escaped).join('|') || '(?!)', 'g');

  function pieces(text: string): readonly Piece[] {
    const found: Piece[] = [];
    let done = 0;
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const secret = widest(text, match.index, done, occurrences(forms, match[0]));
      if (secret === undefined) {
        pattern.lastIndex = match.index + 1;
        continue;
      }
      if (secret.from > done) found.push({ kind: 'literal', text: text.slice(done, secret.from) });
      found.push(secret.piece);
      done = secret.to;
      pattern.lastIndex = done;
    }
    if (done < text.length) found.push({ kind: 'literal', text: text.slice(done) });
    return found;
  }

  function redacted(text: string): string {
    const cut = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
    return pieces(cut).map(shownPiece).join('');
  }

  return { pieces, text: redacted };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function shownPiece(piece: Piece): string {
  if (piece.kind === 'literal') return piece.text;
  return piece.whole ? piece.variable : `${piece.variable}…`;
}

/** The forms of a key, each with the length that counts as a leak. */
function formsOf(key: string, variable: string): readonly Form[] {
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key.toWellFormed());
  const lowerPercent = percent.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  const encoded = [json, json.replaceAll('/', String.raw`\/`), percent, lowerPercent, ...base64Forms(key)];
  const distinct = new Set(encoded.filter((text) => text.length > 0 && text !== key));
  return [
    { text: key, variable, form: 'plain', least: leastOf(key) },
    ...[...distinct].map((text) => ({ text, variable, form: 'encoded' as const, least: leastOf(text) })),
  ];
}

function leastOf(text: string): number {
  return Math.min(text.length, Math.max(leastPart, Math.ceil(text.length / 3)));
}

/** The base64 characters that depend on the key alone, for each position in a group of three bytes. */
function base64Forms(key: string): readonly string[] {
  const bytes = Buffer.from(key, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const text = padded.toString('base64').slice(first, last);
    return text.length < leastPart ? [] : [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * The texts to search for. Every form is cut into blocks so small that any part that counts as a leak contains a whole block.
 */
function blocksOf(forms: readonly Form[]): ReadonlySet<string> {
  const blocks = new Set<string>();
  for (const form of forms) {
    const size = Math.floor((form.least + 1) / 2);
    for (let at = 0; at + size <= form.text.length; at += size) blocks.add(form.text.slice(at, at + size));
  }
  return blocks;
}

type Occurrence = { readonly form: Form; readonly at: number };

function occurrences(forms: readonly Form[], block: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const form of forms) {
    for (let at = form.text.indexOf(block); at >= 0; at = form.text.indexOf(block, at + 1)) found.push({ form, at });
  }
  return found;
}

/** The longest part of a form around a found block, not reaching back beyond `floor`; undefined when it is too short. */
function widest(text: string, index: number, floor: number, candidates: readonly Occurrence[]) {
  let best: { readonly from: number; readonly to: number; readonly piece: Piece } | undefined;
  for (const { form, at } of candidates) {
    let start = at;
    let from = index;
    while (start > 0 && from > floor && form.text[start - 1] === text[from - 1]) {
      start -= 1;
      from -= 1;
    }
    let end = at;
    let to = index;
    while (end < form.text.length && form.text[end] === text[to]) {
      end += 1;
      to += 1;
    }
    if (to - from < form.least || (best !== undefined && to - from <= best.to - best.from)) continue;
    const whole = end - start === form.text.length;
    best = { from, to, piece: { kind: 'secret', variable: form.variable, form: form.form, start, end, whole } };
  }
  return best;
}
