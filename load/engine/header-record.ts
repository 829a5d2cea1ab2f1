export type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

/** Headers by their names in lower case; a repeated header has all its values, in order. */
export function headerRecord(headers: Iterable<readonly [name: string, value: string]>): HeaderRecord {
  const found = new Map<string, string | readonly string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = found.get(key);
    found.set(key, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(found);
}

/** The value of a header. Commas join several values. Empty if the header is absent. */
export function headerOf(headers: HeaderRecord, name: string): string {
  const value = headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(', ');
}
