import type { Operation } from '../../spec/requirement.ts';

/** The operations that a mix can hold: those that can be repeated without using anything up. */
export const loadOperations = [
  'listModels',
  'listDataSources',
  'getBillingAccount',
  'sendMessage',
] as const satisfies readonly Operation[];

export type LoadOperation = (typeof loadOperations)[number];
