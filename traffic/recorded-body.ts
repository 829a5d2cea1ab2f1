/** A body as a recorder kept it. */
type Kept = {
  readonly text: string | undefined;
  readonly encoding: string;
  readonly comment: string;
  /** Its length in bytes as the recorder says, in the ways in which recorders count; negative: not said. */
  readonly sizes: readonly number[];
};

/** Marks that recorders and people put in place of removed text. */
const redaction = /redact|\[filtered\]|\[masked\]|\[removed\]|\*{4,}|x{8,}|•{3,}|█|\$AWC_KEY_/i;

/**
 * The bytes of a body that was surely recorded whole and unchanged; undefined for every other: an absent text says nothing,
 * because recorders leave out what they did not keep, and a wrong length says that something was cut or replaced.
 */
export function recordedBody({ text, encoding, comment, sizes }: Kept): Uint8Array | undefined {
  if (text === undefined || text === '' || /beginning|truncat|\\xNN/i.test(comment)) return undefined;
  const bytes = bytesOf(text, encoding.toLowerCase());
  if (bytes === undefined) return undefined;
  const said = sizes.filter((size) => size > 0);
  if (said.length > 0 && !said.includes(bytes.length)) return undefined;
  // Base64 hides a redaction mark, and redacting it breaks the encoding.
  const plain = Buffer.from(bytes).toString('utf8');
  return redaction.test(plain) || plain.includes('\u{fffd}') ? undefined : bytes;
}

function bytesOf(text: string, encoding: string): Uint8Array | undefined {
  if (encoding === '') return text.isWellFormed() ? Buffer.from(text, 'utf8') : undefined;
  if (encoding !== 'base64') return undefined;
  const compact = text.replace(/\s/g, '');
  const isBase64 = compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
  return isBase64 ? Buffer.from(compact, 'base64') : undefined;
}
