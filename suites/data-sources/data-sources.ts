import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { at } from '../../core/json.ts';
import { describe, shown } from '../../core/text.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { dataSourceSchema } from '../../schemas/data-source.ts';
import { dateTime } from '../../schemas/primitives.ts';
import { type SchemaIssue, schemaIssues } from '../../schemas/schema-issues.ts';
import { outlineOf } from '../../schemas/walk.ts';
import { givenRecords } from '../models/listed-records.ts';
import { updatedAfterCreated } from '../models/model-sense.ts';
import { secretIn } from '../../promises/secrets.ts';

/** A data source as some page showed it, and where it departs from the specification. */
type Listed = { readonly record: unknown; readonly answer: Answer; readonly issues: readonly SchemaIssue[] };

/** What a departure from the schema breaks. */
export const sourceShapes = [
  {
    id: 'sources.types',
    speaks: ({ path, expected }: SchemaIssue): boolean => !isTime(path) || expected === 'string',
  },
  { id: 'sources.date-times', speaks: ({ path }: SchemaIssue): boolean => isTime(path) },
] as const;

/** Section 2.5: every data source on every page of every organization that can be read. */
export const dataSources: readonly Check[] = [
  ...sourceShapes.map(({ id, speaks }) => check(id, (api) => mustConform(api, speaks))),

  check(
    'sources.no-secret',
    async (api) => {
      for (const { record, answer } of await givenSources(api)) mustHoldNoSecret(record, answer);
    },
    { on: 'listDataSources' },
  ),

  check(
    'sources.no-secret',
    async (api) => {
      const { deleted } = await givenAcceptedDeletion(api);
      mustHoldNoSecret(deleted.json, deleted);
    },
    { on: 'deleteDataSource', phase: 'deletions', uses: ['deletions'] },
  ),

  check('sources.updated-after-created', async (api) => {
    let spoke = 0;
    for (const { record, answer } of await givenSources(api)) {
      const sense = updatedAfterCreated(record);
      if (sense === undefined) continue;
      spoke += 1;
      const actual = `data source ${describe(at(record, 'id'), 100)}: ${sense.actual}`;
      must(sense.holds, 'updatedAt not before createdAt', actual, answer);
    }
    if (spoke === 0) throw new Blocked('no data source shows createdAt and updatedAt with an offset');
  }),
];

const givenSources = shared(async (api: Api): Promise<readonly Listed[]> =>
  (await givenRecords(api, 'listDataSources')).map(({ record, answer }) => ({
    record,
    answer,
    issues: schemaIssues(dataSourceSchema, record),
  })),
);

async function mustConform(api: Api, speaks: (issue: SchemaIssue) => boolean): Promise<void> {
  for (const { record, answer, issues } of await givenSources(api)) {
    const wrong = issues.find(speaks);
    if (wrong === undefined) continue;
    const where = `${shown(wrong.path, 100)} of data source ${describe(at(record, 'id'), 100)}`;
    throw new Violation(`${where}: ${wrong.expected}`, shown(wrong.received), [answer.exchange]);
  }
}

const times: ReadonlySet<string> = new Set(
  Object.entries(dataSourceSchema.shape)
    .filter(([, schema]) => outlineOf(schema).schema === dateTime)
    .map(([name]) => name),
);

function isTime(path: string): boolean {
  return times.has(path);
}

function mustHoldNoSecret(record: unknown, answer: Answer): void {
  const secret = secretIn(record);
  must(secret === undefined, 'no secret in a data source', `${shown(secret?.path ?? '', 100)}: ${secret?.why}`, answer);
}
