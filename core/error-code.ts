/** The code of a system error, such as `ENOENT`; undefined for any other. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why something failed, in short: the code of a system error, or what was thrown as text. */
export function causeOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}
