const maxDepth = 20;

/**
 * Applies a JSON Merge Patch (RFC 7396): objects are merged, null removes a name, and any other value replaces the old
 * one. Throws RangeError for a patch nested deeper than any target file.
 */
export function mergePatch(value: unknown, patch: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new RangeError(`nested deeper than ${maxDepth} levels`);
  if (!isMap(patch)) return patch;
  const merged = new Map(isMap(value) ? Object.entries(value) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), change, depth + 1));
  }
  return Object.fromEntries(merged);
}

/** Whether a patch decides the value at a path. */
export function patches(patch: unknown, path: readonly PropertyKey[]): boolean {
  let at = patch;
  for (const step of path) {
    if (!isMap(at)) return true;
    if (!Object.hasOwn(at, step)) return false;
    at = Object.getOwnPropertyDescriptor(at, step)?.value;
  }
  return true;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
