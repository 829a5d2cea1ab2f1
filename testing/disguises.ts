/** Every character in a way of its own to write it. */
const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('');
const hex = (code: number, digits = 2) => code.toString(16).padStart(digits, '0');
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const lines = (text: string, width: number, end: string) => text.replace(new RegExp(`.{${width}}`, 'g'), `$&${end}`);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** The forms in which a target could show a key, besides the key itself. */
export const disguises: readonly (readonly [string, (key: string) => string | Uint8Array])[] = [
  ['hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['hexadecimal in upper case', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['hexadecimal with colons', (text) => lines(Buffer.from(text).toString('hex'), 2, ':')],
  ['JSON escapes of every character', (text) => each(text, (code) => `\\u${hex(code, 4)}`)],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify(each(text, (code) => `\\u${hex(code, 4)}`)))],
  ['byte escapes', (text) => each(text, (code) => `\\x${hex(code)}`)],
  ['percent-encoding of every character', (text) => each(text, (code) => `%${hex(code)}`)],
  ['percent-encoding, twice', (text) => encodeURIComponent(each(text, (code) => `%${hex(code)}`))],
  ['decimal entities', (text) => each(text, (code) => `&#${code};`)],
  ['hexadecimal entities', (text) => each(text, (code) => `&#x${hex(code, 6)};`)],
  ['named entities', (text) => text.replaceAll('"', '&quot;').replaceAll('_', '&lowbar;').replaceAll('~', '&tilde;')],
  ['base64 of Latin-1', (text) => base64(Buffer.from(`ÿ:${text}`, 'latin1'))],
  ['base64, twice', (text) => base64(base64(`a:${text}`))],
  ['base64 in lines', (text) => lines(base64(`ab:${text}`), 16, '\r\n')],
  ['base64 in lines, in JSON', (text) => JSON.stringify(lines(base64(text), 16, '\r\n  '))],
  ['base64 in percent-encoding', (text) => encodeURIComponent(base64(text))],
  ['hexadecimal in base64', (text) => base64(Buffer.from(text).toString('hex'))],
  ['base64 of UTF-16', (text) => base64(utf16(`x${text}`))],
  ['hexadecimal of UTF-16', (text) => utf16(text).swap16().toString('hex')],
  ['UTF-16', (text) => utf16(text).toString('latin1')],
  ['UTF-16 in the other order', (text) => utf16(text).swap16().toString('latin1')],
  ['lower case', (text) => text.toLowerCase()],
  ['upper case', (text) => text.toUpperCase()],
  ['reversed', (text) => text.split('').toReversed().join('')],
  ['reversed, in base64', (text) => base64(text.split('').toReversed().join(''))],
  ['lower case, in JSON escapes', (text) => each(text.toLowerCase(), (code) => `\\u${hex(code, 4)}`)],
];
