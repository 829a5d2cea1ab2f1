/** The code of a system error, such as `ENOENT`; undefined for any other. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why something failed, in short: the code of a system error, or what was thrown as text. */
export function causeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}

/** A code as it may be shown, such as `ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE`: text from the other side is no code. */
export function shownCode(code: unknown): string {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_/]*$/.test(code) ? code : 'no code';
}
