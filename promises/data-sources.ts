import { type Answer } from '../core/exchange.ts';
import { at } from '../core/json.ts';
import { describe, shown } from '../core/text.ts';
import { dataSourceSchema } from '../schemas/data-source.ts';
import { dateTime } from '../schemas/primitives.ts';
import { outlineOf } from '../schemas/walk.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type AnswerPromise, eachIn, type Judgement, keptIf, ofSuccess, promised } from './judgement.ts';
import { type RecordSense, senseOf, updatedAfterCreated } from './record-sense.ts';
import { type Departure, type ReadRecord, recordsIn } from './records.ts';
import { secretIn } from './leaks/secrets.ts';

const times: ReadonlySet<string> = new Set(
  Object.entries(dataSourceSchema.shape)
    .filter(([, schema]) => outlineOf(schema).schema === dateTime)
    .map(([name]) => name),
);

export const sourceTypes = ofDepartures(
  'sources.types',
  ({ path, expected }) => !times.has(path) || expected === 'string',
);
export const sourceDateTimes = ofDepartures('sources.date-times', ({ path }) => times.has(path));

const sense = senseOf('data source');

/** Section 2.5: what the fields of a data source have to do with each other. The suite makes a check of each. */
export const sourceSenses: readonly RecordSense[] = [
  sense(
    'sources.updated-after-created',
    'updatedAt not before createdAt',
    'createdAt and updatedAt in RFC 3339, with an offset',
    updatedAfterCreated,
  ),
];

/** Section 2.5: each record of a list by itself, because the search for secrets in one value is bounded. */
export const noSecret = ofSuccess('sources.no-secret', ['listDataSources', 'deleteDataSource'], (answer) => {
  const isList = answer.exchange.operation === 'listDataSources';
  const records: readonly unknown[] = isList ? sourcesIn(answer).map(({ record }) => record) : [answer.json];
  const [secret] = records.flatMap((record) => secretIn(record) ?? []);
  return keptIf(secret === undefined, 'no secret in a data source', () => {
    return `${shown(secret?.path ?? '', 100)}: ${secret?.why}`;
  });
});

/** The same for deletions alone: a search of every list of a run would take long. */
export const noSecretDeleted = eachIn(
  (answer) => (answer.exchange.operation === 'deleteDataSource' ? [answer] : []),
  noSecret,
);

/** Section 2.5. */
export const sourcePromises: readonly AnswerPromise[] = [
  ...[sourceTypes, sourceDateTimes, ...sourceSenses].map((promise) => eachIn(sourcesIn, promise)),
  noSecret,
];

function ofDepartures(requirement: RequirementId, speaks: (departure: Departure) => boolean) {
  return promised(requirement, ({ record, departures }: ReadRecord): Judgement => {
    const wrong = departures.find(speaks);
    if (wrong === undefined) return 'kept';
    const where = `${shown(wrong.path, 100)} of ${nameOf(record)}`;
    return { expected: `${where}: ${wrong.expected}`, actual: shown(wrong.received) };
  });
}

function sourcesIn(answer: Answer): readonly ReadRecord[] {
  return answer.exchange.operation === 'listDataSources' ? recordsIn(answer) : [];
}

function nameOf(record: unknown): string {
  return `data source ${describe(at(record, 'id'), 100)}`;
}
