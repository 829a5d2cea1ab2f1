/** A percent-encoded part of a path; undefined where it is none, as in recorded traffic. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
