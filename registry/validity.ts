/** The dates that decide how long a certificate is valid, each `YYYY-MM-DD`. What is not published yet is missing. */
export type Calendar = {
  /** The release of each version of the suite. */
  readonly releases: ReadonlyMap<string, string>;
  /** The publication of each revision. */
  readonly revisions: ReadonlyMap<number, string>;
};

const monthsAfterRelease = 12;
const monthsAfterRevision = 9;

/**
 * The first day on which a certificate is not valid any more: the later of 12 months after the release of the suite that judged
 * and 9 months after the next revision. Undefined as long as one of them is not published, because that day is not known yet.
 */
export function expiryOf(
  suiteVersion: string,
  revision: number,
  { releases, revisions }: Calendar,
): string | undefined {
  const released = releases.get(suiteVersion);
  const next = revisions.get(revision + 1);
  if (released === undefined || next === undefined) return undefined;
  return [monthsAfter(released, monthsAfterRelease), monthsAfter(next, monthsAfterRevision)].toSorted().at(-1);
}

/** Whether a certificate with this expiry is valid on a day, which is in milliseconds since the epoch. */
export function isValid(expires: string | undefined, now: number): boolean {
  return expires === undefined || new Date(now).toISOString().slice(0, 10) < expires;
}

/** The same day of a later month, or its last day if it is shorter. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()));
  return lastOfMonth.toISOString().slice(0, 10);
}
