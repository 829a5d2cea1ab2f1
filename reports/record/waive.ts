import type { CheckRecord, Waiver, WaiverRecord } from './record.ts';

/** The check, marked as waived where it is violated and a waiver in force covers it; nothing else can be waived. */
export function waive(check: CheckRecord, waivers: readonly Waiver[], startedAt: number): CheckRecord {
  if (!isViolated(check)) return check;
  const waiver = waivers.find((candidate) => covers(candidate, check) && !isExpired(candidate, startedAt));
  return waiver === undefined ? check : { ...check, waived: waiver };
}

/**
 * What became of a waiver in a run of these checks. `startedAt` decides whether it was in force, in milliseconds since the
 * epoch; it is so to the end of its day in UTC.
 */
export function waiverRecord(waiver: Waiver, checks: readonly CheckRecord[], startedAt: number): WaiverRecord {
  const own = checks.filter((check) => covers(waiver, check));
  return { ...waiver, state: stateOf(waiver, own, startedAt), checks: own.map(({ id }) => id) };
}

function stateOf(waiver: Waiver, own: readonly CheckRecord[], startedAt: number): WaiverRecord['state'] {
  if (isExpired(waiver, startedAt)) return 'expired';
  if (own.some(isViolated)) return 'applied';
  return own.length > 0 && own.every(({ verdict }) => verdict === 'passed') ? 'stale' : 'untested';
}

function covers({ waives }: Waiver, { id, requirement }: CheckRecord): boolean {
  return waives === id || waives === requirement;
}

function isViolated({ verdict }: CheckRecord): boolean {
  return verdict === 'failed' || verdict === 'warned';
}

function isExpired({ expires }: Waiver, startedAt: number): boolean {
  return new Date(startedAt).toISOString().slice(0, 10) > expires;
}
