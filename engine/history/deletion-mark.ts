import { dataSourceSchema } from '../../schemas/data-source.ts';
import { sameJson } from '../../core/same-json.ts';

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

/** Documented fields that a synchronisation in the background may set. */
const syncFields: ReadonlySet<string> = new Set(['syncErrorMessage', 'hasCompletedFirstSync']);

const deletedWord = /delet|remov|archiv|trash|tombston|purg|inactive/i;
const livingName = /^(is)?_?(active|enabled|visible)$/i;

/** The names of the fields by which a record was marked: what differs, but for the times of its ordinary use. */
export function marksOf(before: unknown, after: unknown): readonly string[] {
  if (sameJson(before, after)) return [];
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
    if (isDocumented(name) && !statusFields.has(name)) return false;
    if (!saysDeleted(name, value)) return false;
    return others.some((other) => !saysDeleted(name, fieldsOf(other).get(name)));
  });
}

/**
 * The field that came to mark a record as deleted although it was not deleted; undefined if there is none. Only what
 * ordinary use cannot change counts: a field that the specification does not name and that now speaks of deletion, or
 * that changed exactly as the deleted record's did.
 */
export function strayMark(
  before: unknown,
  after: unknown,
  deleted: { readonly before: unknown; readonly after: unknown } | undefined,
): string | undefined {
  const marks = marksOf(before, after).filter((name) => !isDocumented(name));
  if (marks.length === 0) return undefined;
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const [deletedOld, deletedNow] = [fieldsOf(deleted?.before), fieldsOf(deleted?.after)];
  return marks.find((name) => {
    const [from, to] = [old.get(name), now.get(name)];
    if (saysDeleted(name, to) && !saysDeleted(name, from)) return true;
    // Counters such as a revision move by one for many reasons.
    if (deleted === undefined || typeof to === 'number') return false;
    return sameJson(from, deletedOld.get(name)) && sameJson(to, deletedNow.get(name));
  });
}

/**
 * The documented field of a record that changed although its updatedAt shows no edit;
 * undefined where there is none. What synchronisation and health checks set may change at any moment.
 */
export function strayEdit(before: unknown, after: unknown): string | undefined {
  const changed = marksOf(before, after).find(
    (name) => isDocumented(name) && !statusFields.has(name) && !syncFields.has(name),
  );
  if (changed === undefined) return undefined;
  const edited = !sameJson(fieldsOf(before).get('updatedAt'), fieldsOf(after).get('updatedAt'));
  return edited ? undefined : changed;
}

function isDocumented(name: string): boolean {
  return Object.hasOwn(dataSourceSchema.shape, name);
}

function saysDeleted(name: string, value: unknown): boolean {
  if (typeof value === 'string' && deletedWord.test(value.slice(0, 100))) return true;
  if (livingName.test(name)) return value === false;
  if (!deletedWord.test(name.slice(0, 100))) return false;
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== '';
}

function fieldsOf(record: unknown): ReadonlyMap<string, unknown> {
  return typeof record === 'object' && record !== null ? new Map(Object.entries(record)) : new Map();
}
