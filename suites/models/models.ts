import { check, type Check } from '../../engine/check.ts';
import { Blocked } from '../../engine/verdict.ts';
import { recordsIn } from '../../promises/records.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
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

/**
 * The models after a deletion, and those of every other answer of the run, because a job may write models anew later. Those of the deleted
 * data source may still be listed, but as complete as before.
 */
export const modelsAfterDeletion: readonly Check[] = modelShapes.map((shape) =>
  check(
    shape.requirement,
    { phase: 'last', uses: ['deletions'], variant: 'after-deletion', extended: true },
    async (api) => {
      const { atLast, deleted } = await givenAcceptedDeletion(api);
      const pages = [...atLast.models.values()].flatMap((walk) => walk.pages);
      const records = pages.flatMap(({ answer }) => recordsIn(answer));
      if (records.length === 0) throw new Blocked('no model is listed after the deletion');
      for (const model of records) mustKeep(shape, model, deleted, model.answer);
      const { violation } = api.session.invariant(shape.requirement);
      if (violation !== undefined) throw violation;
    },
  ),
);

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
