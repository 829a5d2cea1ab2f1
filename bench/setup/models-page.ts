import { sampleBodies } from '../../schemas/sample-bodies.ts';

/** Stands in the page where an answer that is to be another one says so. */
export const mark = '########';

const models = ['mdl_2', 'mdl_1'].map((id) => ({ ...sampleBodies.model(), id, name: mark }));

/** The page of two models that the servers of the bench answer with. */
export const modelsPage = JSON.stringify({ data: models, pagination: { nextCursor: null, hasMore: false } });
