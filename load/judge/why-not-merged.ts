import { transportFailures } from '../../core/http.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { listed } from '../../reports/text/some-of.ts';
import { decodeHistogram } from '../measure/histogram.ts';
import type { Outcome } from '../measure/outcome.ts';

/** Why records are not the parts of one run, as a sentence; undefined if they are. The records can come from anywhere. */
export function whyNotMerged(records: readonly LoadRecord[]): string | undefined {
  const [first] = records;
  if (first === undefined) return undefined;
  const same = (what: string, read: (record: LoadRecord) => unknown) =>
    records.every((record) => JSON.stringify(read(record)) === JSON.stringify(read(first)))
      ? undefined
      : `these are not parts of one run: their ${what} differ.`;
  return (
    same('versions of the suite', ({ suite }) => suite) ??
    same('profiles', ({ profile }) => [profile.digest, profile.kind, profile.plannedMs]) ??
    same('thresholds', ({ profile }) => profile.thresholds) ??
    same('seeds', ({ seed }) => seed) ??
    same('targets', ({ target }) => [target.baseUrl, target.embedded]) ??
    same('options', ({ profile, validation }) => [profile.rateLimitedIsError, validation.share]) ??
    same('lengths of slices', ({ sliceMs }) => sliceMs) ??
    same('numbers of parts', ({ shards }) => shards.of) ??
    whyNotWhole(records, first.shards.of) ??
    records.map(whyUnreadable).find((reason) => reason !== undefined)
  );
}

function whyNotWhole(records: readonly LoadRecord[], of: number): string | undefined {
  const given = indexesOf(records);
  if (new Set(given).size < given.length) return 'one part is given twice.';
  const beyond = given.find((index) => index > of);
  return beyond === undefined ? undefined : `there is no part ${beyond} of ${of}.`;
}

/** The parts that have no record, in order. */
export function missingParts(records: readonly LoadRecord[], of: number): readonly number[] {
  const given = new Set(indexesOf(records));
  return Array.from({ length: of }, (_, place) => place + 1).filter((part) => !given.has(part));
}

/** The most parts to name in a line. */
const maxNamed = 20;

/** Such as `part 2 of 3`. */
export function partsText(parts: readonly number[], of: number): string {
  return `part${parts.length > 1 ? 's' : ''} ${listed(parts.map(String), maxNamed)} of ${of}`;
}

function whyUnreadable({ operations, generator, phases, shards }: LoadRecord): string | undefined {
  const ofOutcomes = operations.flatMap(({ outcomes }) => outcomes);
  const unknown = ofOutcomes.find(({ outcome }) => parseOutcome(outcome) === undefined);
  if (unknown !== undefined)
    return `${partsText(shards.indexes, shards.of)} has an outcome that is no status and no failure.`;
  const distributions = [
    ...ofOutcomes.flatMap(({ latency, service }) => [latency, service]),
    ...Object.values(phases).filter((phase) => phase !== undefined),
    ...(generator.lag === undefined ? [] : [generator.lag]),
  ];
  return distributions.every(({ hdr }) => isHistogram(hdr))
    ? undefined
    : `${partsText(shards.indexes, shards.of)} has a histogram that cannot be read.`;
}

function isHistogram(text: string): boolean {
  try {
    decodeHistogram(text);
    return true;
  } catch {
    return false;
  }
}

export function indexesOf(records: readonly LoadRecord[]): number[] {
  return records.flatMap(({ shards }) => shards.indexes).toSorted((one, other) => one - other);
}

/** Undefined for a text that is neither a status nor a failure. */
export function parseOutcome(name: string): Outcome | undefined {
  return transportFailures.find((failure) => failure === name) ?? (/^\d{1,3}$/.test(name) ? Number(name) : undefined);
}
