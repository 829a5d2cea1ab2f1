import type { z } from 'zod';
import { type Answer, isSuccess } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { askedOf } from '../core/route.ts';
import { compiled } from '../schemas/compiled.ts';
import { dataSourceSchema } from '../schemas/data-source.ts';
import { modelSchema } from '../schemas/model.ts';
import { conforms, schemaIssues } from '../schemas/schema-issues.ts';

/** Where one field of a record departs from the specification. */
export type Departure = {
  readonly field: string;
  /** Where in the field: the name of a part's field, such as `type` of a column; empty for the field or a part itself. */
  readonly part: string;
  /** The whole path within the record. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
};

/** A record of a list as an answer showed it, and where it departs from its schema. */
export type ReadRecord = {
  /** The organization of the path. */
  readonly organizationId: string;
  readonly record: unknown;
  readonly answer: Answer;
  readonly departures: readonly Departure[];
};

/** Records that are read in one answer: twice as many as a page may hold. */
const maxRecords = 200;

/** Every record of every page is held against them. */
const schemas = { listModels: compiled(modelSchema), listDataSources: compiled(dataSourceSchema) } as const;

/** By the records of a page. An in-process deployment answers with the same page many times, and it is parsed once. */
const known = { listModels: newKnown(), listDataSources: newKnown() } as const;

function newKnown() {
  return new WeakMap<readonly unknown[], (readonly Departure[])[]>();
}

/** Many promises look at the records of one answer, one after the other. */
let latest: { readonly answer: Answer; readonly records: readonly ReadRecord[] } | undefined;

/** The records of a page, whatever they are, of an answer that need not be a readable page. */
export function recordsIn(answer: Answer): readonly ReadRecord[] {
  if (latest?.answer !== answer) latest = { answer, records: readRecords(answer) };
  return latest.records;
}

function readRecords(answer: Answer): readonly ReadRecord[] {
  const { operation } = answer.exchange;
  const asked = askedOf(answer.exchange);
  const data = at(answer.json, 'data');
  if (operation !== 'listModels' && operation !== 'listDataSources') return [];
  if (asked === undefined || !isSuccess(answer) || !Array.isArray(data)) return [];
  const departures = known[operation].get(data) ?? [];
  known[operation].set(data, departures);
  return data.slice(0, maxRecords).map((record: unknown, index) => ({
    organizationId: asked.ownerId,
    record,
    answer,
    departures: (departures[index] ??= departuresOf(record, schemas[operation]())),
  }));
}

/** Each field is looked at by itself, so that one that is wrong a hundred times hides no other. */
function departuresOf(record: unknown, schema: z.ZodObject): readonly Departure[] {
  if (conforms(schema, record)) return [];
  const fields: Readonly<Record<string, z.ZodType>> = schema.shape;
  return Object.entries(fields).flatMap(([field, fieldSchema]) => {
    const found = schemaIssues(fieldSchema, at(record, field)).map(({ path, expected, received }) => {
      const inside = path === '(body)' ? '' : path;
      const part = /^\[\d+\]\.(\w+)/.exec(inside)?.[1] ?? '';
      return { field, part, path: `${field}${inside}`, expected, received };
    });
    // Of each part the first of its kind: what is wrong everywhere needs no more proof.
    return found.filter((one, place) => found.findIndex((other) => isAlike(one, other)) === place);
  });
}

function isAlike(one: Departure, other: Departure): boolean {
  const kindOf = ({ path, field, received, expected }: Departure) =>
    `${path === field} ${received === 'absent'} ${expected}`;
  return one.part === other.part && kindOf(one) === kindOf(other);
}
