/** Characters that careless handling of IDs breaks on; one ID of each kind is enough. */
const kinds = [/%/, /\+/, /[/\\]/, / /, /[&=?#;]/, /["'<>]/, /[^\x20-\x7e]/, /[^A-Za-z0-9_%+/\\ &=?#;"'<>-]/] as const;

/** Whether the ID has a character that careless handling breaks on. */
export function isDelicate(id: string): boolean {
  return kinds.some((kind) => kind.test(id));
}

/** What careless comparisons ignore: the case of letters, zeros before a number, and signs. */
const readings: readonly ((id: string) => string)[] = [
  (id) => id.toLowerCase(),
  (id) => id.replaceAll(/(?<!\d)0+(?=\d)/g, ''),
  (id) => id.replaceAll(/[^A-Za-z0-9]/g, ''),
];

/** Two IDs that are the same so read, if there are any. */
function twoAlike(ids: readonly string[], read: (id: string) => string): readonly string[] {
  const first = new Map(ids.toReversed().map((id) => [read(id), id]));
  const second = ids.find((id) => first.get(read(id)) !== id);
  return second === undefined ? [] : [first.get(read(second)) ?? second, second];
}

/**
 * At most `most` of the IDs that are easily confused or damaged: two that differ in case, in zeros or in signs alone, two of which one
 * begins with the other, the longest, and one with each kind of unusual character.
 */
export function delicateIds(ids: readonly string[], most: number): readonly string[] {
  const alike = readings.flatMap((read) => twoAlike(ids, read));
  const sorted = ids.toSorted();
  const longer = sorted.findIndex((id, index) => index > 0 && id.startsWith(sorted[index - 1] ?? id));
  const beginning = longer > 0 ? sorted.slice(longer - 1, longer + 1) : [];
  const unusual = kinds.flatMap((kind) => ids.find((id) => kind.test(id)) ?? []);
  const longest = ids.reduce<string | undefined>(
    (best, id) => (id.length > (best?.length ?? 0) ? id : best),
    undefined,
  );
  const all = [...alike, ...beginning, ...unusual, ...(longest === undefined ? [] : [longest])];
  return [...new Set(all)].slice(0, most);
}
