import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { errorCode } from '../error-code.ts';
import { TransportError } from '../http.ts';

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
  ['deflate', (bytes, options) => (hasZlibHeader(bytes) ? inflateZlib(bytes, options) : inflateBare(bytes, options))],
]);
const inflateZlib: Decoder = promisify(inflate);
const inflateBare: Decoder = promisify(inflateRaw);

/** More codings than this on one body are an attack. */
const maxCodings = 4;

/**
 * The body without its content codings (`Content-Encoding`, RFC 9110 section 8.4), never more than `maxBytes`.
 * Rejects with {@link TransportError}.
 */
export async function decodeBody(body: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (body.length === 0) return body;
  if (codings.length > maxCodings) {
    throw new TransportError('malformed', `The body has ${codings.length} content codings.`);
  }
  let decoded = body;
  for (const coding of codings.toReversed()) {
    decoded = await decodeOnce(decoded, coding, maxBytes);
  }
  return decoded;
}

async function decodeOnce(body: Uint8Array, coding: string, maxBytes: number): Promise<Uint8Array> {
  const decode = decoders.get(coding);
  if (decode === undefined) {
    throw new TransportError(
      'malformed',
      `The body has a content coding that no request asks for: ${legible(coding)}.`,
    );
  }
  try {
    const decoded = await decode(body, { maxOutputLength: maxBytes });
    return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      throw new TransportError('too-large', `The body exceeds ${maxBytes} bytes when it is unpacked from ${coding}.`);
    }
    if (code === 'Z_BUF_ERROR') {
      throw new TransportError('truncated', `The body ends before its ${coding} coding does.`);
    }
    throw new TransportError('malformed', `The body is not the ${coding} that its Content-Encoding says it is.`);
  }
}

/** In RFC 9110, `deflate` means zlib. Many servers send raw deflate instead, so clients must detect it. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function legible(text: string): string {
  return JSON.stringify(text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 40));
}
