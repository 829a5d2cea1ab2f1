import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { modelSenses } from '../../promises/model-sense.ts';
import { type ModelShape, modelShapes } from '../../promises/model-shapes.ts';
import { ownOrganization } from '../../promises/models.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { givenModels } from './model-records.ts';

/** Every model on every page of every organization that can be read. */
export const models: readonly Check[] = [
  ...modelShapes.map(ofEveryModel),

  check('models.organization', async (api) => {
    for (const model of await givenModels(api)) mustKeep(ownOrganization, model, model.answer);
  }),
];

/** Section 2.1: what the fields of a model have to do with each other. */
export const modelSense: readonly Check[] = modelSenses.map(ofEveryModel);

/** Judges every model. Blocked if no model exercises the requirement. */
function ofEveryModel(promise: Pick<ModelShape, 'requirement' | 'judge' | 'needed'>): Check {
  return check(promise.requirement, async (api) => {
    const seen = await givenModels(api);
    const spoke = seen.map((model) => mustKeep(promise, model, model.answer));
    if (!spoke.includes(true)) throw new Blocked(`no model has ${promise.needed}: add a model that does`);
  });
}
