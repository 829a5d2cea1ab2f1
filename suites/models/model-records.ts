import { type Api, as, type Query } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { at, stringAt } from '../../core/json.ts';
import { givenLongestList, requestPage } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { modelSchema } from '../../schemas/model.ts';
import { schemaIssues } from '../../schemas/schema-issues.ts';
import { givenRecords, type ListedRecord, recordsIn } from './listed-records.ts';

/** Where one field of a model departs from the specification. */
export type Departure = {
  readonly model: ListedRecord;
  readonly field: string;
  /** Where in the field: the name of a part's field, such as `type` of a column; empty for the field or a part itself. */
  readonly part: string;
  /** The whole path within the model. */
  readonly path: string;
  readonly expected: string;
  readonly received: string;
};

export type ModelRecords = { readonly models: readonly ListedRecord[]; readonly departures: readonly Departure[] };

/** Departures that are kept of one field: a field that is wrong everywhere needs no more proof. */
const maxDepartures = 100;

const fields = Object.entries(modelSchema.shape);

/**
 * Every model of every readable organization, each held against the schema once in a run; those of a few other kinds of
 * pages too, because a filtered or default page may be made elsewhere.
 */
export const givenModels = shared(async (api: Api): Promise<ModelRecords> => {
  const models = [...(await givenRecords(api, 'listModels')), ...(await otherPages(api))];
  const departures: Departure[] = [];
  const counts = new Map<string, number>();
  for (const model of models) {
    if (schemaIssues(modelSchema, model.record).length === 0) continue;
    for (const departure of departuresOf(model)) {
      const count = counts.get(departure.field) ?? 0;
      counts.set(departure.field, count + 1);
      if (count < maxDepartures) departures.push(departure);
    }
  }
  return { models, departures };
});

/** The longest list by default, after a cursor, and filtered. */
async function otherPages(api: Api): Promise<readonly ListedRecord[]> {
  const longest = await unlessBlocked(() => givenLongestList(api, 'listModels', 1));
  const middle = longest?.walk.items[Math.floor(longest.walk.items.length / 2)];
  if (longest === undefined || middle === undefined) return [];
  const databaseConnectionId = stringAt(middle.record, 'databaseConnectionId');
  const queries: readonly Query[] = [
    {},
    { cursor: middle.id, limit: 3 },
    ...(databaseConnectionId === undefined ? [] : [{ databaseConnectionId, limit: 20 }]),
  ];
  const records: ListedRecord[] = [];
  for (const query of queries) {
    const { organizationId, admin } = longest;
    records.push(...recordsIn(organizationId, await requestPage(api, 'listModels', as(admin), organizationId, query)));
  }
  return records;
}

/** Each field is looked at by itself, so that one that is wrong a hundred times hides no other. */
export function departuresOf(model: ListedRecord): readonly Departure[] {
  return fields.flatMap(([field, schema]) =>
    schemaIssues(schema, at(model.record, field)).map(({ path, expected, received }) => {
      const inside = path === '(body)' ? '' : path;
      const part = /^\[\d+\]\.(\w+)/.exec(inside)?.[1] ?? '';
      return { model, field, part, path: `${field}${inside}`, expected, received };
    }),
  );
}
