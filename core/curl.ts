import { type HttpRequest, writtenHeaders } from './http.ts';
import type { Redactor } from './redaction/redact.ts';

/** The maximum length of a line, in UTF-16 units. */
const maxLineLength = 128 * 1024;

/**
 * A line for bash that sends the request again. Keys are environment variables, and bash expands nothing else, whatever the
 * request contains. Undefined if the line is too long.
 */
export function curlLine(request: HttpRequest, baseUrl: string, redactor: Redactor): string | undefined {
  const { method, body } = request;
  const words = ['curl', '-isS', '--globoff', '--path-as-is'];
  if (request.headers['accept-encoding'] !== undefined) words.push('--compressed');
  if (method !== 'GET') words.push('-X', method);
  for (const [name, value] of Object.entries(writtenHeaders(request)))
    words.push('-H', headerWord(name, value, redactor));
  const url = quoted(redactor.text(requestUrl(request.baseUrl ?? baseUrl, request.path)));
  const piped = body !== undefined && (typeof body !== 'string' || body.includes('\0'));
  if (piped) words.push('--data-binary', '@-');
  else if (typeof body === 'string') words.push('--data-raw', quoted(redactor.text(body)));
  const line = [...words, url].join(' ');
  const whole = piped ? `printf -- ${printfFormat(body)} | ${line}` : line;
  return whole.length > maxLineLength ? undefined : whole;
}

/** The whole URL of a request at a base URL, which may end in a path. */
export function requestUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

/** Curl sends `name;` as a header without a value, and omits a header written as `name:`. */
function headerWord(name: string, value: string, redactor: Redactor): string {
  if (value === '') return quoted(`${name};`);
  const pieces = redactor.pieces(value);
  if (pieces.every(({ kind }) => kind === 'literal')) return quoted(`${name}: ${value}`);
  const inner = pieces.map((piece, index) => {
    if (piece.kind === 'literal') return doubleQuotable(piece.text);
    if (!/^\$[A-Za-z_][A-Za-z0-9_]*$/.test(piece.variable)) return doubleQuotable(piece.variable);
    const name = piece.variable.slice(1);
    const { whole, part } = piece;
    if (part !== undefined && !whole) return `\${${name}:${part.start}:${part.end - part.start}}`;
    return pieces[index + 1] === undefined ? piece.variable : `\${${name}}`;
  });
  return `"${doubleQuotable(name)}: ${inner.join('')}"`;
}

/** Escapes every character that is special in double quotes. `!` is special only in interactive shells, so it gets single quotes. */
function doubleQuotable(text: string): string {
  return text.replace(/["$`\\]/g, String.raw`\$&`).replaceAll('!', `"'!'"`);
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** One word of bash with exactly this text. Characters that a terminal would interpret or hide are escaped. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!hidden.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const inner = Array.from(text, (character) => {
    if (character === "'" || character === '\\') return `\\${character}`;
    if (!hidden.test(character)) return character;
    return Array.from(Buffer.from(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `$'${inner.join('')}'`;
}

/** A body with bytes that no argument can contain, as a printf format. */
function printfFormat(body: string | Uint8Array): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const format = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '%') return '%%';
    return /[\w :.,{}[\]"@/-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `'${format.join('')}'`;
}
