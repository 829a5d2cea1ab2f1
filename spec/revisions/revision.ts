import { createHash } from 'node:crypto';
import { catalogue, type RequirementId } from '../catalogue.ts';
import { type Erratum, publishedLevels } from '../errata.ts';

/** The requirements that a certificate covers. A revision never changes: later requirements belong to the next one. */
export type Revision = {
  /** Counted from 1. */
  readonly number: number;
  /** The day of its publication, `YYYY-MM-DD`. */
  readonly published: string;
  /** See {@link digestOf}. */
  readonly digest: string;
  readonly requirements: readonly RequirementId[];
  /** In the order in which they were published, because a bundle holds how many of them it knew. */
  readonly errata: readonly Erratum[];
};

/** SHA-256 of every word of these requirements as published, in the order of the revision. */
export function digestOf({ requirements, errata }: Pick<Revision, 'requirements' | 'errata'>): string {
  const levels = publishedLevels(errata);
  const words = requirements.map((id) => {
    const found = catalogue.find((requirement) => requirement.id === id);
    if (found === undefined) return { id };
    const { section, operations, sentence, unobservable } = found;
    const level = levels.get(id) ?? found.level;
    return { id, section, level, operations, sentence, unobservable: unobservable ?? null };
  });
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}
