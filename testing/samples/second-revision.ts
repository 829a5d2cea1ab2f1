import { catalogueByArea, type RequirementId } from '../../spec/catalogue.ts';
import { digestOf, type Revision } from '../../spec/revisions/revision.ts';
import { revision1 } from '../../spec/revisions/revision-1.ts';

/** For tests: the revisions of a suite that has published a second one, with every requirement of today that needs no outage. */
const { durability: _needsOutages, ...areas } = catalogueByArea;
const requirements: readonly RequirementId[] = Object.values(areas).flatMap((own) => own.map(({ id }) => id));
const second = { number: 2, published: '2026-01-01', requirements, errata: [] };
const revision2: Revision = { ...second, digest: digestOf(second) };

export const revisions: ReadonlyMap<number, Revision> = new Map([
  [1, revision1],
  [2, revision2],
]);

export let currentRevision = revision1;

export function certifyBy(revision: number): void {
  currentRevision = revision === 1 ? revision1 : revision2;
}
