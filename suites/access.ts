import { mustNotSucceed, mustStatus, mustSucceed, summary } from '../harness/answer.ts';
import type { Api } from '../harness/api.ts';
import { check, type Check } from '../harness/check.ts';
import {
  type Cell,
  givenDenied,
  givenDeniedForTheRole,
  givenEveryKey,
  givenGranted,
  type ReadOperation,
  readOperations,
} from './access-matrix.ts';
import { observeUnknown } from './observe-unknown.ts';

/** Section 5, points 3 and 4, for the operations that read: every declared principal against every declared resource. */
export const access: readonly Check[] = [
  ...readOperations.map((operation) =>
    check(
      'access.granted',
      async (api) => {
        for (const { principal, resource, answer } of await givenGranted(api, operation)) {
          mustSucceed(answer, `for ${principal.name}, an admin by the target file, reading ${resource}`);
        }
        await observeUnknown(api, operation);
        await givenEveryKey(api, operation);
      },
      { on: operation },
    ),
  ),

  check('access.models-404', async (api) => {
    for (const cell of await givenDenied(api, 'listModels')) {
      observeDenied(api, 'listModels', cell);
      mustStatus(cell.answer, 404, `for ${cell.principal.name}, no admin by the target file, reading ${cell.resource}`);
    }
    await givenDeniedForTheRole(api, 'listModels');
    await givenEveryKey(api, 'listModels');
  }),

  ...(['listDataSources', 'getBillingAccount'] as const).map((operation) =>
    check(
      'access.denied',
      async (api) => {
        for (const cell of await givenDenied(api, operation)) {
          observeDenied(api, operation, cell);
          mustNotSucceed(
            cell.answer,
            `for ${cell.principal.name}, no admin by the target file, reading ${cell.resource}`,
          );
        }
        await givenDeniedForTheRole(api, operation);
        await givenEveryKey(api, operation);
      },
      { on: operation },
    ),
  ),
];

function observeDenied({ session }: Api, operation: ReadOperation, { answer }: Cell): void {
  session.observe('access.denied-status', `${operation}: ${summary(answer)}`, answer.exchange);
}
