import type { Exchange } from './exchange.ts';
import { writtenHeaders } from './http.ts';
import { addressOf } from './network/address.ts';
import type { Redactor } from './redaction/redact.ts';
import type { Route } from './target.ts';

/** The maximum length of a line, in UTF-16 units. */
const maxLineLength = 128 * 1024;

/** An exchange, of whose outcome only the headers matter. */
type Sent = Pick<Exchange, 'request' | 'outcome'>;

/**
 * A line for any POSIX shell that sends the request again, and decodes an answer that came compressed. Keys are environment variables,
 * and the shell expands nothing of what the request contains. A header with the value `unique` gets another value each time.
 * Undefined if the line is too long.
 */
export function curlLine(
  { request, outcome }: Sent,
  target: Route,
  redactor: Redactor,
  unique?: string,
): string | undefined {
  const { method, body } = request;
  const route = { ...target, baseUrl: request.baseUrl ?? target.baseUrl };
  const words = ['curl', '-isS', '--globoff', '--path-as-is', ...tlsWords(route), ...proxyWords(route)];
  if (route.http2 === 'always') words.push(isTls(route) ? '--http2' : '--http2-prior-knowledge');
  if (request.headers['accept-encoding'] !== undefined) words.push('--compressed');
  else if (isPacked(outcome)) words.push('--compressed', '-H', 'accept-encoding:'); // decodes, but asks for nothing
  if (method !== 'GET') words.push('-X', method);
  for (const [name, value] of Object.entries(writtenHeaders(request)))
    words.push('-H', value === unique ? uniqueHeader(name) : headerWord(name, value, redactor));
  if (request.chunks !== undefined) words.push('-H', quoted('Transfer-Encoding: chunked'));
  const url = quoted(redactor.text(requestUrl(namedUrl(route), request.path)));
  const piped = body !== undefined && (typeof body !== 'string' || hidden.test(body));
  if (piped) words.push('--data-binary', '@-');
  else if (typeof body === 'string') words.push('--data-raw', quoted(redactor.text(body)));
  const line = [...words, url].join(' ');
  const whole = piped ? `printf -- ${printfFormat(redactedBody(body, redactor))} | ${line}` : line;
  return whole.length > maxLineLength ? undefined : whole;
}

/** A body without keys. Bytes that are no text are searched for keys as well. */
function redactedBody(body: string | Uint8Array, redactor: Redactor): string | Uint8Array {
  if (typeof body === 'string') return redactor.text(body);
  const text = Buffer.from(body).toString('latin1');
  const redacted = redactor.text(text);
  return redacted === text ? body : redacted;
}

function isPacked(outcome: Exchange['outcome']): boolean {
  return outcome.kind === 'answered' && outcome.response.headers['content-encoding'] !== undefined;
}

function isTls({ baseUrl }: Route): boolean {
  return baseUrl.startsWith('https:');
}

/** The files as the target file names them. */
function tlsWords(route: Route): readonly string[] {
  const { tls = {}, baseUrl } = route;
  if (!isTls(route)) return [];
  const { files = {}, passphrase, insecure, serverName } = tls;
  const file = (option: string, path: string | undefined) => (path === undefined ? [] : [option, quoted(path)]);
  return [
    ...file('--cacert', files.ca),
    ...file('--cert', files.cert),
    ...file('--key', files.key),
    ...(passphrase === undefined ? [] : ['--pass', '"$AWC_TLS_PASSPHRASE"']),
    ...(insecure === true ? ['--insecure'] : []),
    ...(serverName === undefined ? [] : ['--connect-to', quoted(`::${addressOf(baseUrl).authority}`)]),
    ...(serverName === undefined ? [] : ['-H', quoted(`host: ${new URL(baseUrl).host}`)]),
  ];
}

/** The base URL with the name that the certificate of the server has: curl takes it from there. */
function namedUrl({ baseUrl, tls }: Route): string {
  if (tls?.serverName === undefined || !baseUrl.startsWith('https:')) return baseUrl;
  const { port, prefix } = addressOf(baseUrl);
  return `https://${tls.serverName}:${port}${prefix}`;
}

function proxyWords({ baseUrl, proxyFor }: Route): readonly string[] {
  const settings = proxyFor?.(baseUrl);
  if (settings === undefined) return [];
  if (/^[A-Za-z_]+$/.test(settings.from)) return ['--proxy', `"$${settings.from}"`];
  const { origin, username, password } = new URL(settings.url);
  const user = doubleQuotable(decodeURIComponent(username));
  const credentials = username + password === '' ? [] : ['--proxy-user', `"${user}:$AWC_PROXY_PASSWORD"`];
  return ['--proxy', quoted(origin), ...credentials];
}

/** The whole URL of a request at a base URL, which may end in a path. */
export function requestUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

/** A header whose value is another one every second. */
function uniqueHeader(name: string): string {
  return `"${doubleQuotable(name)}: awc-curl-$(date +%Y%m%d%H%M%S)"`;
}

/** Curl sends `name;` as a header without a value, and omits a header written as `name:`. */
function headerWord(name: string, value: string, redactor: Redactor): string {
  if (value === '') return quoted(`${name};`);
  const pieces = redactor.pieces(value);
  if (pieces.every(({ kind }) => kind === 'literal')) return quoted(`${name}: ${value}`);
  const inner = pieces.map((piece, index) => {
    if (piece.kind === 'literal') return hidden.test(piece.text) ? printed(piece.text) : doubleQuotable(piece.text);
    if (!/^\$[A-Za-z_][A-Za-z0-9_]*$/.test(piece.variable)) return doubleQuotable(piece.variable);
    const name = piece.variable.slice(1);
    const { whole, part } = piece;
    if (part !== undefined && !whole) return `$(printf %s "$${name}" | cut -c ${part.start + 1}-${part.end})`;
    return pieces[index + 1] === undefined ? piece.variable : `\${${name}}`;
  });
  return `"${doubleQuotable(name)}: ${inner.join('')}"`;
}

/** Escapes every character that is special in double quotes. `!` is special only in interactive shells, so it gets single quotes. */
function doubleQuotable(text: string): string {
  return text.replace(/["$`\\]/g, String.raw`\$&`).replaceAll('!', `"'!'"`);
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/**
 * One word of a shell with exactly this text, which does not end in a line break. Characters that a terminal would interpret or
 * hide are escaped.
 */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (hidden.test(text)) return `"${printed(text)}"`;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What stands for the text within double quotes, where it does not end in a line break. */
function printed(text: string): string {
  return `$(printf -- ${printfFormat(text)})`;
}

/** Bytes as a printf format. */
function printfFormat(body: string | Uint8Array): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const format = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '%') return '%%';
    return /[\w :.,{}[\]"@/-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `'${format.join('')}'`;
}
