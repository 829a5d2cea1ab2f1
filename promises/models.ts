import { type Answer, summary } from '../core/exchange.ts';
import { stringAt, at } from '../core/json.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { type AnswerPromise, eachIn, keptIf, ofSuccess, promised } from './judgement.ts';
import { modelSenses } from './model-sense.ts';
import { modelShapes } from './model-shapes.ts';
import { type ReadRecord, recordsIn } from './records.ts';

export const modelsStatus = ofSuccess('models.success-status', ['listModels'], (answer) =>
  keptIf(answer.status === 200, '200 for a list of models', () => summary(answer)),
);

export const ownOrganization = promised('models.organization', ({ record, organizationId }: ReadRecord) => {
  const actual = () => `${describe(at(record, 'organizationId'))} of model ${describe(at(record, 'id'))}`;
  const holds = stringAt(record, 'organizationId') === organizationId;
  return keptIf(holds, () => `organizationId ${describe(organizationId)}, the path's`, actual);
});

/** A filter that is given twice or empty may be read in several ways. */
export const filteredModels = promised('models.filter', ({ record, answer }: ReadRecord) => {
  const [wanted, ...more] = askedOf(answer.exchange)?.query.get('databaseConnectionId') ?? [];
  if (wanted === undefined || wanted === '' || more.length > 0) return undefined;
  const actual = () => `${describe(at(record, 'databaseConnectionId'))} of model ${describe(at(record, 'id'))}`;
  const holds = stringAt(record, 'databaseConnectionId') === wanted;
  return keptIf(holds, () => `databaseConnectionId ${describe(wanted)}, the filter's`, actual);
});

/** Sections 2.1, 4.1 and 8. */
export const modelPromises: readonly AnswerPromise[] = [
  modelsStatus,
  ...[ownOrganization, filteredModels, ...modelShapes, ...modelSenses].map((promise) => eachIn(modelsIn, promise)),
];

/** The models of a page. */
export function modelsIn(answer: Answer): readonly ReadRecord[] {
  return answer.exchange.operation === 'listModels' ? recordsIn(answer) : [];
}
