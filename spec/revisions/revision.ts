import { createHash } from 'node:crypto';
import { catalogue, type RequirementId } from '../catalogue.ts';

/** A set of promises that certificates speak of. It is never changed: later promises wait for the next revision. */
export type Revision = {
  /** Counted from 1. */
  readonly number: number;
  /** Of the promises as the catalogue has them, see {@link digestOf}. */
  readonly digest: string;
  readonly requirements: readonly RequirementId[];
};

/** SHA-256 of every word of these promises, in the order of the revision. */
export function digestOf(requirements: readonly RequirementId[]): string {
  const promises = requirements.map((id) => {
    const found = catalogue.find((requirement) => requirement.id === id);
    if (found === undefined) return { id };
    const { section, level, operations, sentence, unobservable } = found;
    return { id, section, level, operations, sentence, unobservable: unobservable ?? null };
  });
  return createHash('sha256').update(JSON.stringify(promises)).digest('hex');
}
