/** Characters that careless handling of IDs breaks on; one ID of each kind is enough. */
const kinds = [/%/, /\+/, /[/\\]/, / /, /[&=?#;]/, /["'<>]/, /[^\x20-\x7e]/, /[^A-Za-z0-9_%+/\\ &=?#;"'<>-]/] as const;

/** Whether the ID has a character that careless handling breaks on. */
export function isDelicate(id: string): boolean {
  return kinds.some((kind) => kind.test(id));
}

/**
 * At most `most` of the IDs that are easily confused or damaged: two that differ in case alone, two of which one begins with
 * the other, the longest, and one with each kind of unusual character.
 */
export function delicateIds(ids: readonly string[], most: number): readonly string[] {
  const firstOfCase = new Map(ids.toReversed().map((id) => [id.toLowerCase(), id]));
  const recased = ids.find((id) => firstOfCase.get(id.toLowerCase()) !== id);
  const sameButCase = recased === undefined ? [] : [firstOfCase.get(recased.toLowerCase()) ?? recased, recased];
  const sorted = ids.toSorted();
  const longer = sorted.findIndex((id, index) => index > 0 && id.startsWith(sorted[index - 1] ?? id));
  const beginning = longer > 0 ? sorted.slice(longer - 1, longer + 1) : [];
  const unusual = kinds.flatMap((kind) => ids.find((id) => kind.test(id)) ?? []);
  const longest = ids.reduce<string | undefined>(
    (best, id) => (id.length > (best?.length ?? 0) ? id : best),
    undefined,
  );
  const all = [...sameButCase, ...beginning, ...unusual, ...(longest === undefined ? [] : [longest])];
  return [...new Set(all)].slice(0, most);
}
