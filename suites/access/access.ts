import { must, mustNotSucceed, mustStatus, mustSucceed } from '../../engine/answer.ts';
import { answerOf, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { lapsesOf, lastUseOf } from '../../engine/session/lapsed-keys.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { mistyped } from '../../stage/existence.ts';
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
import { mustAnswerAfterMalformed } from './after-malformed.ts';
import { mustAnswerAfterPauses } from './after-pauses.ts';
import { mustStayReadable } from './broken-reads.ts';
import { observeUnknown } from './observe-unknown.ts';

/** Pairs of principal and resource that are requested again at the end. */
const mostAtLast = 1;

/** One lapse may be an accident, such as of the service that knows the keys. */
const lapsesEnough = 2;

/** Keys that are used once more: those that were idle for the longest. */
const mostKeys = 2;

/** The organizations and billing accounts of which nothing showed that they exist. */
const doubtedIn = perRun(() => new Set<string>());

/** Section 5, points 3 and 4, for the operations that read: every declared principal against every declared resource. */
export const access: readonly Check[] = [
  ...readOperations.map((operation) =>
    check('access.granted', { on: operation }, async (api) => {
      const doubts = await mustReach(api, operation, await givenGranted(api, operation));
      await observeUnknown(api, operation);
      await givenEveryKey(api, operation);
      if (doubts.length > 0) throw new Blocked(doubts.join('; '));
    }),
  ),

  // Writes may break reading permanently.
  ...readOperations.map((operation) =>
    check('access.granted', { on: operation, phase: 'last', variant: 'at-last', extended: true }, async (api) => {
      const granted = await givenGranted(api, operation);
      // What was in doubt at the beginning may have turned out to exist.
      const doubted = doubtedIn(api.session);
      await mustReach(
        api,
        operation,
        granted.filter(({ resource }) => doubted.has(resource)),
      );
      const readable = granted.filter(({ answer }) => isSuccess(answer));
      if (readable.length === 0) throw new Blocked('no resource could be read at the beginning of the run');
      for (const { principal, resource, answer } of await cellsOf(api, operation, readable.slice(0, mostAtLast))) {
        const wanted = `no error inside for ${principal.name}, who could read ${resource} before`;
        must(answer.status < 500 || isGateways(answer), wanted, summary(answer), answer);
      }
      await mustStayReadable(api, operation, readable);
    }),
  ),

  // Before an outage, which may lose what a deployment remembers of keys.
  check('access.granted', { on: 'listDataSources', phase: 'later', variant: 'lapses', extended: true }, async (api) => {
    const granted = (await givenGranted(api, 'listDataSources')).filter(({ answer }) => isSuccess(answer));
    const onePerKey = [...Map.groupBy(granted, ({ principal }) => principal).values()].flatMap(([cell]) => cell ?? []);
    const longestIdle = onePerKey.toSorted(
      (one, other) => lastUseOf(api.session, one.principal.name) - lastUseOf(api.session, other.principal.name),
    );
    for (const cell of longestIdle.slice(0, mostKeys)) {
      const [again] = await cellsOf(api, 'listDataSources', [cell]);
      if (again !== undefined && !isSuccess(again.answer)) await cellsOf(api, 'listDataSources', [cell]);
    }
    const lapses = lapsesOf(api.session);
    const places = lapses.map(({ refused }) => `${refused.caller}, ${refused.request.method} ${refused.request.path}`);
    const expected = 'no refusal of a key that is accepted for the same request before and after that';
    const statuses = new Set(lapses.map(({ refused }) => answerOf(refused)?.status));
    const actual = `${[...statuses].join(', ')}, ${lapses.length} times, for ${[...new Set(places)].slice(0, 3).join(', ')}`;
    if (lapses.length >= lapsesEnough)
      throw new Violation(
        expected,
        actual,
        lapses.slice(0, 3).map(({ refused }) => refused),
      );
  }),

  check(
    'access.granted',
    { on: 'listModels', phase: 'later', variant: 'after-pauses', extended: true },
    mustAnswerAfterPauses,
  ),

  check(
    'access.granted',
    { on: 'listModels', uses: ['messages'], phase: 'later', variant: 'after-malformed', extended: true },
    mustAnswerAfterMalformed,
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
    check('access.denied', { on: operation }, async (api) => {
      for (const cell of await givenDenied(api, operation)) {
        observeDenied(api, operation, cell);
        mustNotSucceed(cell.answer, `for ${cell.principal.name}, not a declared admin, reading ${cell.resource}`);
      }
      await givenDeniedForTheRole(api, operation);
      await givenEveryKey(api, operation);
    }),
  ),
];

/** Declared admins must reach what exists. Returns a sentence for each ID in the target file that may be wrong. */
async function mustReach(api: Api, operation: ReadOperation, cells: readonly Cell[]): Promise<readonly string[]> {
  const kind = operation === 'getBillingAccount' ? 'account' : 'organization';
  const doubts = new Map<string, string>();
  for (const { principal, resource, organizationId, answer } of cells) {
    const declared = { kind, id: resource, ownerId: organizationId } as const;
    const doubt = doubts.get(resource) ?? (await mistyped(api, declared, principal, answer));
    if (doubt === undefined) mustSucceed(answer, `for ${principal.name}, a declared admin, reading ${resource}`);
    else doubts.set(resource, doubt);
  }
  for (const resource of doubts.keys()) doubtedIn(api.session).add(resource);
  return [...doubts.values()];
}

function observeDenied({ session }: Api, operation: ReadOperation, { answer }: Cell): void {
  session.observe('access.denied-status', `${operation}: ${summary(answer)}`, answer.exchange);
}
