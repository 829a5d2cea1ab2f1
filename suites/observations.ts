import type { Api } from '../harness/api.ts';
import { check, type Check } from '../harness/check.ts';
import { at } from '../harness/json.ts';
import { observedValue } from '../harness/session.ts';
import { describe, shown } from '../harness/text.ts';
import { Blocked, Violation } from '../harness/verdict.ts';
import { dateTimeTier } from '../schemas/date-time-tier.ts';
import { dateTime } from '../schemas/primitives.ts';
import { undocumentedFields } from '../schemas/undocumented-fields.ts';
import { outlineOf } from '../schemas/walk.ts';
import type { OpenPointName } from '../spec/open-points.ts';
import { provoke } from './provocations.ts';
import { type SeenKind, seenRecords } from './seen-records.ts';

/** Enumerations that the specification does not show in full. */
const enumerations: readonly (readonly [OpenPointName, SeenKind['kind'], string])[] = [
  ['values.chat-status', 'chat', 'status'],
  ['values.message-role', 'message', 'role'],
  ['values.message-status', 'message', 'status'],
  ['values.part-type', 'part', 'type'],
  ['values.part-phase', 'part', 'phase'],
  ['values.dialect', 'data source', 'dialect'],
  ['values.sync-status', 'data source', 'lastSyncStatus'],
  ['values.health-status', 'data source', 'lastHealthStatus'],
  ['values.subscription-status', 'billing account', 'subscriptionStatus'],
];

/** The timestamps of a billing account are strings whose format is not shown: seen, but not judged. */
const openTimestamps: ReadonlySet<string> = new Set(['billingPeriodStart', 'billingPeriodEnd', 'createdAt']);

/** Records of one kind in which undocumented fields are looked for. */
const maxSearched = 30;

/** Section 2: how timestamps are written, and what else the records show that the specification leaves open. */
export const observations: readonly Check[] = [
  check(
    'formats.rfc3339',
    async (api) => {
      await provoke(api);
      const kinds = await seenRecords(api);
      observeValues(api, kinds);
      for (const kind of kinds.filter(({ records }) => records.length > 0)) {
        observeFields(api, kind);
        observeForms(api, kind);
      }
      if (kinds.reduce((count, kind) => count + mustBeRfc3339(kind), 0) === 0)
        throw new Blocked('no date-time was seen');
    },
    { phase: 'last' },
  ),
];

/** How many date-times were judged. What is no date-time at all is left to the promises about the field. */
function mustBeRfc3339({ kind, fields, records }: SeenKind): number {
  const names = Object.keys(fields).filter((name) => isDateTime(fields, name));
  let judged = 0;
  for (const { record, answer } of records) {
    for (const name of names) {
      const text = at(record, name);
      const tier = typeof text === 'string' ? dateTimeTier(text) : 'invalid';
      if (tier === 'invalid') continue;
      judged += 1;
      if (tier === 'rfc3339') continue;
      throw new Violation(`${name} of a ${kind} in RFC 3339, with an offset`, describe(text, 100), [answer.exchange]);
    }
  }
  return judged;
}

function isDateTime(fields: SeenKind['fields'], name: string): boolean {
  const schema = fields[name];
  return schema !== undefined && outlineOf(schema).schema === dateTime;
}

function observeValues({ session }: Api, kinds: readonly SeenKind[]): void {
  for (const [point, kind, field] of enumerations) {
    const seen = new Set<unknown>();
    for (const { record, answer } of kinds.find((one) => one.kind === kind)?.records ?? []) {
      const value = at(record, field);
      if (value === undefined || value === null || seen.has(value)) continue;
      seen.add(value);
      session.observe(point, observedValue(value), answer.exchange);
    }
  }
}

function observeFields({ session }: Api, { kind, schema, fields, records }: SeenKind): void {
  const told = (point: OpenPointName, names: readonly string[]) =>
    session.observe(point, `${kind}: ${shown(names.join(', ') || 'none', 600)}`, records[0]?.answer.exchange);
  const searched = records.slice(0, maxSearched);
  told('fields.undocumented', [...new Set(searched.flatMap(({ record }) => undocumentedFields(schema, record)))]);
  // Of a model every field is shown as required.
  if (kind === 'model') return;
  const isSet = (record: unknown, name: string): boolean => (at(record, name) ?? null) !== null;
  const names = Object.keys(fields);
  told(
    'fields.never-null',
    names.filter((name) => records.every(({ record }) => isSet(record, name))),
  );
  told(
    'fields.always-null',
    names.filter((name) => records.every(({ record }) => !isSet(record, name))),
  );
}

function observeForms({ session }: Api, { kind, fields, records }: SeenKind): void {
  const names = Object.keys(fields).filter(
    (name) => isDateTime(fields, name) || (kind === 'billing account' && openTimestamps.has(name)),
  );
  const seen = new Set<string>();
  for (const { record, answer } of records) {
    for (const name of names) {
      const text = at(record, name);
      if (typeof text !== 'string') continue;
      const form = text.slice(0, 60).replace(/\d/g, '0');
      if (seen.has(form)) continue;
      seen.add(form);
      session.observe('formats.date-time', `${kind}: ${shown(form)}`, answer.exchange);
    }
  }
}
