import type { RequirementId } from './catalogue.ts';
import type { Level } from './requirement.ts';

type Decision = {
  readonly requirement: RequirementId;
  /** The day of the decision, `YYYY-MM-DD`. */
  readonly date: string;
  /** Where it was discussed, or a document of this project. */
  readonly link: string;
  readonly reason: string;
};

/** An error of a published revision. Certificates are judged with it, also those from before. */
export type Erratum = Decision &
  (
    | {
        /** The requirement was published as a must although the specification does not state it. It counts as a should. */
        readonly kind: 'lowered';
        /** The published level, which the digest covers. */
        readonly published: Level;
      }
    | {
        /** A check was contested and can accuse a legal deployment. It does not count until it is corrected. */
        readonly kind: 'excluded';
        readonly check: string;
      }
  );

/** The errata of revision 1, in the order in which they were published, because a bundle holds how many of them it knew. */
export const errataOfRevision1: readonly Erratum[] = [
  {
    kind: 'lowered',
    requirement: 'wait.refused',
    published: 'must',
    date: '2026-11-23',
    link: 'spec/derivations.md',
    reason:
      'Section 8 gives the range of wait, and no section says what becomes of a wait out of range: it may be clamped.',
  },
];

/** The levels that lowered requirements were published with. */
export function publishedLevels(errata: readonly Erratum[]): ReadonlyMap<string, Level> {
  return new Map(errata.flatMap((one) => (one.kind === 'lowered' ? [[one.requirement, one.published] as const] : [])));
}

/** The checks that do not count. */
export function excludedChecks(errata: readonly Erratum[]): ReadonlySet<string> {
  return new Set(errata.flatMap((one) => (one.kind === 'excluded' ? [one.check] : [])));
}

/** The errata about a requirement, one sentence each. */
export function errataSentences(errata: readonly Erratum[], requirement: string): readonly string[] {
  return errata
    .filter((erratum) => erratum.requirement === requirement)
    .map((erratum) => {
      const what =
        erratum.kind === 'lowered'
          ? `published as a ${erratum.published}, counts as a should`
          : `${erratum.check} does not count`;
      return `Erratum of ${erratum.date}: ${what}. ${erratum.reason} See ${erratum.link}.`;
    });
}
