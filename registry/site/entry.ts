import { shown } from '../../core/text.ts';
import { verdictSentence } from '../../reports/record/verdict-sentence.ts';
import { observedPoints, valueText } from '../../reports/record/observed-values.ts';
import type { RequirementRecord, RunRecord } from '../../reports/record/record.ts';
import { openPoints } from '../../spec/open-points.ts';
import type { Certified } from '../judge-submission.ts';
import type { Submission } from '../submission.ts';
import { isValid } from '../validity.ts';

/** Whether a certificate is valid and was judged again. One that only another suite can judge again is shown as unjudged. */
type State = 'valid' | 'unjudged' | 'expired';

/** What the overviews of a site need of a submission. */
export type Entry = Pick<Certified, 'place' | 'submission' | 'isJudged' | 'expires' | 'key'> & {
  readonly state: State;
  readonly revision: number;
  readonly suite: string;
  /** The deployment that was judged. */
  readonly target: string;
  /** The verdict in one sentence. */
  readonly sentence: string;
  /** The day of the run, `YYYY-MM-DD`. */
  readonly day: string;
  /** By the ids of requirements. A bundle of another suite may have ids that this one does not know. */
  readonly verdicts: ReadonlyMap<string, RequirementRecord['verdict']>;
  /** The values that were observed at each open point, sorted. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
};

/** The most values of one open point, the most cases of one value, and the most characters of a value. */
const maxValues = 12;
const maxCases = 4;
const maxCharacters = 160;

export function entryOf({ place, submission, run, record, key, isJudged, expires }: Certified, now: number): Entry {
  const observed = new Map(observedPoints(record.observations).map(({ point, values }) => [point, values]));
  return {
    place,
    submission,
    key,
    isJudged,
    expires,
    state: stateOf(isJudged, isValid(expires, now)),
    revision: run.revision.number,
    suite: shown(run.suite.version, 40),
    target: shown(`${run.target.name} at ${run.target.baseUrl}`, 300),
    sentence: verdictSentence(record),
    day: run.startedAt.slice(0, 10),
    verdicts: new Map(requirementsOf(record).map(({ id, verdict }) => [id, verdict])),
    choices: new Map(
      openPoints.map(({ point }) => {
        const texts = (observed.get(point) ?? []).map((value) => valueText(value, maxCases));
        return [
          point,
          texts
            .map((text) => text.slice(0, maxCharacters))
            .toSorted()
            .slice(0, maxValues),
        ];
      }),
    ),
  };
}

function stateOf(isJudged: boolean, inTime: boolean): State {
  if (!inTime) return 'expired';
  return isJudged ? 'valid' : 'unjudged';
}

/** The requirements that the revision of a certificate has: the others were not selected. */
export function requirementsOf({ requirements }: RunRecord): readonly RequirementRecord[] {
  return requirements.filter(({ verdict }) => verdict !== 'unselected');
}

/** A product with its certified versions, the latest run first. */
export type Product = { readonly latest: Entry; readonly versions: readonly Entry[] };

/** The products of a registry by vendor and name. */
export function productsOf(entries: readonly Entry[]): readonly Product[] {
  const byProduct = Map.groupBy(entries, ({ place }) => `${place.vendor}/${place.product}`);
  return [...byProduct]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, own]) => {
      const versions = own.toSorted((one, other) => newestFirst(one, other));
      const [latest] = versions;
      return latest === undefined ? [] : [{ latest, versions }];
    });
}

function newestFirst(one: Entry, other: Entry): number {
  if (one.day !== other.day) return one.day < other.day ? 1 : -1;
  return other.place.version.localeCompare(one.place.version, 'en', { numeric: true });
}

export function productName({ vendor, product, version }: Submission): string {
  return `${vendor} ${product} ${version}`;
}

/** How long a certificate is valid, and whether it was judged again, in words. */
export function validity({ state, expires }: Entry): string {
  switch (state) {
    case 'valid':
      return expires === undefined ? 'valid' : `valid until ${expires}`;
    case 'unjudged':
      return `signed and whole, not judged again${expires === undefined ? '' : `, expires on ${expires}`}`;
    case 'expired':
      return `expired on ${expires}`;
  }
}

/** The folder of the pages of an entry, as a path from the root of the site that links can hold. */
export function folderOfEntry({ place: { vendor, product, version } }: Entry): string {
  return `products/${vendor}/${product}/${encodeURIComponent(version)}`;
}
