import { must, mustNotSucceed, mustStatus, mustSucceed } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { Blocked } from '../../engine/verdict.ts';
import {
  type Cell,
  cellsOf,
  givenDenied,
  givenDeniedForTheRole,
  givenEveryKey,
  givenGranted,
  type ReadOperation,
  readOperations,
} from './access-matrix.ts';
import { observeUnknown } from './observe-unknown.ts';

/** Pairs of principal and resource that are requested again at the end. */
const mostAtLast = 3;

/** Section 5, points 3 and 4, for the operations that read: every declared principal against every declared resource. */
export const access: readonly Check[] = [
  ...readOperations.map((operation) =>
    check(
      'access.granted',
      async (api) => {
        for (const { principal, resource, answer } of await givenGranted(api, operation)) {
          mustSucceed(answer, `for ${principal.name}, a declared admin, reading ${resource}`);
        }
        await observeUnknown(api, operation);
        await givenEveryKey(api, operation);
      },
      { on: operation },
    ),
  ),

  // Writes may break reading permanently.
  ...readOperations.map((operation) =>
    check(
      'access.granted',
      async (api) => {
        const readable = (await givenGranted(api, operation)).filter(({ answer }) => isSuccess(answer));
        if (readable.length === 0) throw new Blocked('no resource could be read at the beginning of the run');
        for (const { principal, resource, answer } of await cellsOf(api, operation, readable.slice(0, mostAtLast))) {
          const wanted = `no error inside for ${principal.name}, who could read ${resource} before`;
          must(answer.status < 500 || isGateways(answer), wanted, summary(answer), answer);
        }
      },
      { on: operation, phase: 'last', variant: 'at-last', extended: true },
    ),
  ),

  check('access.models-404', async (api) => {
    for (const cell of await givenDenied(api, 'listModels')) {
      observeDenied(api, 'listModels', cell);
      mustStatus(cell.answer, 404, `for ${cell.principal.name}, not a declared admin, reading ${cell.resource}`);
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
          mustNotSucceed(cell.answer, `for ${cell.principal.name}, not a declared admin, reading ${cell.resource}`);
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
