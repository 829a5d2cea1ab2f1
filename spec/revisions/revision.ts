import { createHash } from 'node:crypto';
import { catalogue, type RequirementId } from '../catalogue.ts';

/** The requirements that a certificate covers. A revision never changes: later requirements belong to the next one. */
export type Revision = {
  /** Counted from 1. */
  readonly number: number;
  /** See {@link digestOf}. */
  readonly digest: string;
  readonly requirements: readonly RequirementId[];
};

/** SHA-256 of every word of these requirements, in the order of the revision. */
export function digestOf(requirements: readonly RequirementId[]): string {
  const words = requirements.map((id) => {
    const found = catalogue.find((requirement) => requirement.id === id);
    if (found === undefined) return { id };
    const { section, level, operations, sentence, unobservable } = found;
    return { id, section, level, operations, sentence, unobservable: unobservable ?? null };
  });
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}
