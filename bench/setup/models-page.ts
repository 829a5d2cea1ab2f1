import { sampleBodies } from '../../schemas/sample-bodies.ts';

/** The part of the page that differs between answers in the mode `distinct`. */
export const mark = '########';

const models = ['mdl_2', 'mdl_1'].map((id) => ({ ...sampleBodies.model(), id, name: mark }));

/** The page of two models with which the servers of the bench answer. */
export const modelsPage = JSON.stringify({ data: models, pagination: { nextCursor: null, hasMore: false } });
