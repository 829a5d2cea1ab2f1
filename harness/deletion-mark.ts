import { dataSourceSchema } from '../schemas/data-source.ts';

/** Fields that may change at any moment while a data source is in use, so that a change in them marks nothing. */
const busyFields: ReadonlySet<string> = new Set([
  'updatedAt',
  'lastSuccessfulSyncAt',
  'lastSyncAttemptAt',
  'lastHealthyAt',
  'lastHealthCheckAttemptAt',
]);

/** Documented fields whose values are not all shown, so that one of them may say "deleted". */
const statusFields: ReadonlySet<string> = new Set(['lastSyncStatus', 'lastHealthStatus']);

const deletedWord = /delet|remov|archiv|trash|tombston|purg|inactive/i;
const livingName = /^(is)?_?(active|enabled|visible)$/i;

/** The names of the fields by which a record was marked: what differs, but for the times of its ordinary use. */
export function marksOf(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].filter((name) => !busyFields.has(name) && !sameJson(old.get(name), now.get(name)));
}

/**
 * Whether a record says, in a field that section 2.5 leaves open, that it was deleted before, and some other record of
 * the list says otherwise there. The specification shows no mark, so this is a guess: good enough to leave the record
 * alone, not to judge it.
 */
export function looksDeleted(record: unknown, others: readonly unknown[]): boolean {
  return [...fieldsOf(record)].some(([name, value]) => {
    if (name in dataSourceSchema.shape && !statusFields.has(name)) return false;
    if (!saysDeleted(name, value)) return false;
    return others.some((other) => !saysDeleted(name, fieldsOf(other).get(name)));
  });
}

function saysDeleted(name: string, value: unknown): boolean {
  if (typeof value === 'string' && deletedWord.test(value)) return true;
  if (livingName.test(name)) return value === false;
  return (
    deletedWord.test(name) && value !== null && value !== undefined && value !== false && value !== 0 && value !== ''
  );
}

function fieldsOf(record: unknown): ReadonlyMap<string, unknown> {
  return typeof record === 'object' && record !== null ? new Map(Object.entries(record)) : new Map();
}

/** Whether two parsed values are the same JSON; the order of names counts, which deployments keep. */
function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
