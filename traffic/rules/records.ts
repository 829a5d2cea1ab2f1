import { isSuccess } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { describe, shown } from '../../core/text.ts';
import { Violation } from '../../engine/verdict.ts';
import { billingAccountAnswerSchema } from '../../schemas/billing-account.ts';
import { dataSourceAnswerSchema, dataSourceSchema } from '../../schemas/data-source.ts';
import { modelSchema } from '../../schemas/model.ts';
import { schemaIssues } from '../../schemas/schema-issues.ts';
import { sourceShapes } from '../../suites/data-sources/data-sources.ts';
import { type ListedRecord, recordsIn } from '../../suites/models/listed-records.ts';
import { type Departure, departuresOf } from '../../suites/models/model-records.ts';
import { modelSenses, updatedAfterCreated } from '../../suites/models/model-sense.ts';
import { departureViolation, modelShapes } from '../../suites/models/models.ts';
import { secretIn } from '../../promises/secrets.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Recorded } from '../recorded.ts';
import { type Broken, keptIf } from '../../promises/judgement.ts';
import { eachSuccess, type Rule, type Seen } from '../rule.ts';

/** Sections 2.1 to 2.6: the records in the answers, one by one. */
export const recordRules: readonly Rule[] = [
  ...modelShapes.map(({ id, speaks, shownBy }): Rule => ({
    requirement: id,
    over: (traffic) =>
      models(traffic).flatMap((model): readonly Seen[] => {
        const { exchange } = model.answer;
        const wrong = departures(model).find(speaks);
        if (wrong !== undefined) return [{ exchange, violation: departureViolation(wrong) }];
        return shownBy(model.record) ? [{ exchange, violation: undefined }] : [];
      }),
  })),

  ...modelSenses.map(({ id, expected, sense }): Rule => ({
    requirement: id,
    over: (traffic) =>
      models(traffic).flatMap(({ record, answer: { exchange } }): readonly Seen[] => {
        const verdict = sense(record);
        if (verdict === undefined) return [];
        const actual = `model ${describe(at(record, 'id'), 100)}: ${verdict.actual}`;
        return [{ exchange, violation: verdict.holds ? undefined : new Violation(expected, actual, [exchange]) }];
      }),
  })),

  ...sourceShapes.map(({ id, speaks }) =>
    eachSource(id, ({ record }) => {
      const issue = schemaIssues(dataSourceSchema, record).find(speaks);
      return keptIf(issue === undefined, `${shown(issue?.path ?? '', 100)}: ${issue?.expected}`, issue?.received ?? '');
    }),
  ),

  eachSource('sources.updated-after-created', ({ record }) => {
    const sense = updatedAfterCreated(record);
    return sense === undefined ? undefined : keptIf(sense.holds, 'updatedAt not before createdAt', sense.actual);
  }),

  eachSuccess('sources.no-secret', ['listDataSources', 'deleteDataSource'], ({ answer: { json } }) => {
    const secret = secretIn(json);
    const actual = `${shown(secret?.path ?? '', 100)}: ${secret?.why}`;
    return keptIf(secret === undefined, 'no secret in a data source', actual);
  }),

  sameId('delete.record', 'deleteDataSource', ({ route }) => route.id),
  sameId('billing.record', 'getBillingAccount', ({ route }) => route.ownerId),

  eachSuccess('delete.record-types', ['deleteDataSource'], ({ answer: { json } }) =>
    isObject(at(json, 'data')) ? conforms(dataSourceAnswerSchema, json) : undefined,
  ),
  eachSuccess('billing.types', ['getBillingAccount'], ({ answer: { json } }) =>
    isObject(at(json, 'data')) ? conforms(billingAccountAnswerSchema, json) : undefined,
  ),
];

/** The models of each recording, and where each departs from the schema: many rules ask for the same. */
const modelsOf = new WeakMap<readonly Recorded[], readonly ListedRecord[]>();
const departuresIn = new WeakMap<ListedRecord, readonly Departure[]>();

function models(traffic: readonly Recorded[]): readonly ListedRecord[] {
  const known = modelsOf.get(traffic);
  if (known !== undefined) return known;
  const found = traffic
    .filter(({ route, isWhole, answer }) => route.operation === 'listModels' && isWhole && isSuccess(answer))
    .flatMap(({ route, answer }) => recordsIn(route.ownerId, answer));
  modelsOf.set(traffic, found);
  return found;
}

function departures(model: ListedRecord): readonly Departure[] {
  const known = departuresIn.get(model);
  if (known !== undefined) return known;
  const found = schemaIssues(modelSchema, model.record).length === 0 ? [] : departuresOf(model);
  departuresIn.set(model, found);
  return found;
}

function eachSource(id: Rule['requirement'], judge: (source: ListedRecord) => Broken | 'kept' | undefined): Rule {
  return eachSuccess(id, ['listDataSources'], ({ route, answer }) => {
    let last: 'kept' | undefined;
    for (const source of recordsIn(route.ownerId, answer)) {
      const verdict = judge(source);
      if (verdict === undefined) continue;
      if (verdict === 'kept') last = verdict;
      else
        return {
          ...verdict,
          actual: `data source ${describe(at(source.record, 'id'), 100)}: ${shown(verdict.actual)}`,
        };
    }
    return last;
  });
}

function sameId(id: Rule['requirement'], operation: Operation, wanted: (recorded: Recorded) => string): Rule {
  return eachSuccess(id, [operation], (recorded) => {
    const got = at(recorded.answer.json, 'data', 'id');
    return keptIf(got === wanted(recorded), `data with id ${describe(wanted(recorded))}`, `id ${describe(got)}`);
  });
}

function conforms(schema: Parameters<typeof schemaIssues>[0], value: unknown): Broken | 'kept' {
  const [issue] = schemaIssues(schema, value);
  return keptIf(issue === undefined, `${issue?.path}: ${issue?.expected}`, issue?.received ?? '');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
