import type { RefusalKind } from '../http/request.ts';
import type { Variation } from '../variation.ts';

/** Refuses those kinds with another status, except where sections 4.1 and 5 specify the status of a list of models. */
export function refusedWith(status: number, ...kinds: readonly RefusalKind[]): Variation {
  return {
    alter: (rules) => ({
      refusalStatus: (kind, request) => {
        const isGiven = request.operation === 'listModels' && (kind === 'denied' || kind === 'unknownOrganization');
        return kinds.includes(kind) && !isGiven ? status : rules.refusalStatus(kind, request);
      },
    }),
  };
}
