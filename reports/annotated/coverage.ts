import texts from './coverage.json' with { type: 'json' };
import type { Sentence } from './split.ts';

/**
 * What the suite says about each sentence and table row of the specification, by section and digest: ids of requirements,
 * `open: ` and an open point, `unobservable: ` and why no caller can observe it, or `about: ` and its subject where no
 * requirement follows from it. The text itself is not part of the suite. `awc annotate SPEC.md --strict` fails where text and
 * table differ.
 */
export const coverage: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(texts).flatMap(([section, own]) =>
    Object.entries(own).map(([digest, covers]) => [`${section} ${digest}`, covers]),
  ),
);

/** Undefined for an unknown text. */
export function coverageOf(sentence: Sentence): readonly string[] | undefined {
  return coverage.get(keyOf(sentence));
}

/** The sections and digests of known sentences that a text lacks. */
export function missingFrom(sentences: readonly Sentence[]): readonly string[] {
  const present = new Set(sentences.map(keyOf));
  return [...coverage.keys()].filter((key) => !present.has(key));
}

function keyOf({ section, digest }: Sentence): string {
  return `${section} ${digest}`;
}
