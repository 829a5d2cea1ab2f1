/** Names as they stand for keys, with the part of a key that curl lines name; then each kind of character. */
const pieces = /\$\{?[\p{L}_][\p{L}\p{N}_]*(?::\d+:\d+)?\}?…?|[a-z]|[A-Z]|\d/gu;

/**
 * The form of a credential without keys. Wrong credentials are made from a key by changing characters, so that one made
 * from its stand-in has other characters of the same kinds in the same places.
 */
export function credentialForm(credential: string): string {
  return credential.replace(pieces, (piece) => {
    if (piece.startsWith('$')) return piece;
    return /\d/.test(piece) ? '0' : piece === piece.toLowerCase() ? 'a' : 'A';
  });
}

/** A line of curl with the form of its credential. */
export function curlForm(line: string): string {
  return line.replace(/authorization: [^"']*/g, credentialForm);
}
