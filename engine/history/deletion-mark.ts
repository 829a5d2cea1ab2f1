import { dataSourceSchema } from '../../schemas/data-source.ts';
import { instantOf, isCoarse } from '../../core/instant.ts';
import { sameJson } from '../../core/same-json.ts';

/** Fields that may change at any moment while a data source is in use, so a change in them is not a mark. */
const busyFields: ReadonlySet<string> = new Set([
  'updatedAt',
  'lastSuccessfulSyncAt',
  'lastSyncAttemptAt',
  'lastHealthyAt',
  'lastHealthCheckAttemptAt',
]);

/** Documented fields whose values the specification does not list, so one value may mean "deleted". */
const statusFields: ReadonlySet<string> = new Set(['lastSyncStatus', 'lastHealthStatus']);

/** Documented fields that a synchronisation in the background may set. */
const syncFields: ReadonlySet<string> = new Set(['syncErrorMessage', 'hasCompletedFirstSync']);

const deletedWord = /delet|remov|archiv|trash|tombston|purg|inactive/i;
/** Names that say what may happen to a record, such as `deletable`, not what happened to it. */
const abilityName = /able$|^(is_?)?(can|may)|allow|protect/i;
const livingName = /^(is)?_?(active|enabled|visible)$/i;

/**
 * The names of the fields that mark a record: those that differ, except for the times of ordinary use, and a null
 * or a flag of deletion that appears without being set.
 */
export function marksOf(before: unknown, after: unknown): readonly string[] {
  if (sameJson(before, after)) return [];
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].filter((name) => {
    if (busyFields.has(name) || sameJson(old.get(name), now.get(name))) return false;
    return old.has(name) || (isOfDeletion(name) ? isSet(now.get(name)) : now.get(name) !== null);
  });
}

/**
 * Whether a field that section 2.5 leaves open says that the record was deleted, while another record of the list says
 * otherwise in that field. The specification defines no mark, so this is a guess. It is good enough to avoid the record, but
 * not to judge it.
 */
export function looksDeleted(record: unknown, others: readonly unknown[]): boolean {
  return [...fieldsOf(record)].some(([name, value]) => {
    if (isDocumented(name) && !statusFields.has(name)) return false;
    if (!saysDeleted(name, value)) return false;
    return others.some((other) => !saysDeleted(name, fieldsOf(other).get(name)));
  });
}

/** The names of the fields that the specification does not have and that say that the record was deleted. */
export function deletionFlags(record: unknown): readonly string[] {
  const fields = [...fieldsOf(record)].filter(([name, value]) => !isDocumented(name) && saysDeleted(name, value));
  return fields.map(([name]) => name);
}

/**
 * The field that came to mark a record as deleted although it was not deleted; undefined if there is none. Only fields
 * that ordinary use cannot change count: fields that the specification does not name and that now mean "deleted" or
 * changed exactly as in the deleted record, unless they are `restless`, which change in many records.
 */
export function strayMark(
  before: unknown,
  after: unknown,
  deleted: { readonly before: unknown; readonly after: unknown; readonly restless: ReadonlySet<string> } | undefined,
): string | undefined {
  const marks = marksOf(before, after).filter((name) => !isDocumented(name));
  if (marks.length === 0) return undefined;
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const [deletedOld, deletedNow] = [fieldsOf(deleted?.before), fieldsOf(deleted?.after)];
  return marks.find((name) => {
    const [from, to] = [old.get(name), now.get(name)];
    if (saysDeleted(name, to) && !saysDeleted(name, from)) return true;
    // Counters such as a revision, and the time at which a page was made, change for many reasons.
    if (deleted === undefined || typeof to === 'number' || instantOf(to) !== undefined) return false;
    if (deleted.restless.has(name)) return false;
    return sameJson(from, deletedOld.get(name)) && sameJson(to, deletedNow.get(name));
  });
}

/**
 * The documented field of a record that changed although its updatedAt shows no edit; undefined if there is none, or if that time
 * is absent or too coarse to show the edit of another client. Fields that synchronisation and health checks set may change at any moment.
 */
export function strayEdit(before: unknown, after: unknown): string | undefined {
  const changed = marksOf(before, after).find(isOfEdits);
  if (changed === undefined) return undefined;
  const updatedAt = fieldsOf(before).get('updatedAt');
  const isUnedited = isCoarse(updatedAt) === false && sameJson(updatedAt, fieldsOf(after).get('updatedAt'));
  return isUnedited ? changed : undefined;
}

/** The documented fields of a record that only an edit changes, with their values. None changes createdAt, whose form may differ. */
export function editable(record: unknown): readonly (readonly [string, unknown])[] {
  return [...fieldsOf(record)].filter(([name]) => isOfEdits(name) && !busyFields.has(name) && name !== 'createdAt');
}

function isOfEdits(name: string): boolean {
  return isDocumented(name) && !statusFields.has(name) && !syncFields.has(name);
}

function isDocumented(name: string): boolean {
  return Object.hasOwn(dataSourceSchema.shape, name);
}

function saysDeleted(name: string, value: unknown): boolean {
  if (typeof value === 'string' && deletedWord.test(value.slice(0, 100))) return true;
  if (livingName.test(name)) return value === false;
  return isOfDeletion(name) && isSet(value);
}

function isOfDeletion(name: string): boolean {
  return deletedWord.test(name.slice(0, 100)) && !abilityName.test(name.slice(0, 100));
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== '';
}

function fieldsOf(record: unknown): ReadonlyMap<string, unknown> {
  return typeof record === 'object' && record !== null ? new Map(Object.entries(record)) : new Map();
}
