import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { observedValue } from '../../engine/session/session.ts';
import { describe, shown } from '../../core/text.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { type DateTimeTier, dateTimeTier } from '../../schemas/date-time-tier.ts';
import { dateTime } from '../../schemas/primitives.ts';
import { undocumentedFields } from '../../schemas/undocumented-fields.ts';
import { outlineOf } from '../../schemas/walk.ts';
import type { OpenPointName } from '../../spec/open-points.ts';
import { provoke, provoking } from './provocations.ts';
import { type SeenKind, seenRecords } from '../models/seen-records.ts';

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

/** The specification does not show the format of a billing account's timestamps: they are observed, not judged. */
const openTimestamps: ReadonlySet<string> = new Set(['billingPeriodStart', 'billingPeriodEnd', 'createdAt']);

/** Forms of timestamps of one kind of record. */
const maxForms = 200;

/** Records of one kind that are searched for undocumented fields. */
const maxSearched = 30;

/** Section 2: how timestamps are written, and what else the records show that the specification leaves open. */
export const observations: readonly Check[] = [
  check('formats.rfc3339', provoking, async (api) => {
    await provoke(api);
    const kinds = await seenRecords(api);
    observeValues(api, kinds);
    const forms = new Map(kinds.map((kind) => [kind, formsOf(kind)]));
    for (const [kind, seen] of forms) {
      observeFields(api, kind);
      for (const { form, answer } of seen) {
        api.session.observe('formats.date-time', `${kind.kind}: ${shown(form)}`, answer.exchange);
      }
    }
    let judged = 0;
    for (const [kind, seen] of forms) judged += mustBeRfc3339(kind, seen);
    if (judged === 0) throw new Blocked('no date-time was seen');
  }),
];

/** One way of writing a timestamp, digits as zeros, with a text that was written so. */
type Form = {
  readonly name: string;
  readonly form: string;
  readonly text: string;
  readonly tier: DateTimeTier;
  readonly answer: Answer;
};

/**
 * How many forms of declared date-times there are, and each must be RFC 3339. A text that is no date-time at all
 * is left to the promises about its field.
 */
function mustBeRfc3339({ kind, fields }: SeenKind, forms: readonly Form[]): number {
  const judged = forms.filter(({ name, tier }) => tier !== 'invalid' && isDateTime(fields, name));
  const other = judged.find(({ tier }) => tier !== 'rfc3339');
  if (other === undefined) return judged.length;
  const expected = `${other.name} of a ${kind} in RFC 3339, with an offset`;
  throw new Violation(expected, describe(other.text, 100), [other.answer.exchange]);
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
  if (records.length === 0) return;
  const report = (point: OpenPointName, names: readonly string[]) =>
    session.observe(point, `${kind}: ${shown(names.join(', ') || 'none', 600)}`, records[0]?.answer.exchange);
  const searched = records.slice(0, maxSearched);
  report('fields.undocumented', [...new Set(searched.flatMap(({ record }) => undocumentedFields(schema, record)))]);
  // Every field of a model is required.
  if (kind === 'model') return;
  const isSet = (record: unknown, name: string): boolean => (at(record, name) ?? null) !== null;
  const names = Object.keys(fields);
  report(
    'fields.never-null',
    names.filter((name) => records.every(({ record }) => isSet(record, name))),
  );
  report(
    'fields.always-null',
    names.filter((name) => records.every(({ record }) => !isSet(record, name))),
  );
}

/** The forms of the timestamps. The form decides between RFC 3339 and others, so one text of each is looked at. */
function formsOf({ kind, fields, records }: SeenKind): readonly Form[] {
  const names = Object.keys(fields).filter(
    (name) => isDateTime(fields, name) || (kind === 'billing account' && openTimestamps.has(name)),
  );
  const forms = new Map<string, Form>();
  for (const { record, answer } of records) {
    for (const name of names) {
      const text = at(record, name);
      if (typeof text !== 'string') continue;
      const form = text.slice(0, 60).replace(/\d/g, '0');
      const known = forms.get(form);
      if (known !== undefined && known.tier !== 'invalid') continue;
      if (forms.size >= maxForms) return [...forms.values()];
      forms.set(form, { name, form, text, tier: dateTimeTier(text), answer });
    }
  }
  return [...forms.values()];
}
