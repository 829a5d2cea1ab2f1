import { type Answer, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { isOwnInternalError } from '../../engine/session/internal-errors.ts';
import { brokenSince } from '../../engine/session/answers/broken-reads.ts';
import { Violation } from '../../engine/verdict.ts';
import { pausesForGoodMs } from '../shared/for-good.ts';
import { type Cell, cellsOf, type ReadOperation } from './access-matrix.ts';

/** Reads that are tried again at most. */
const mostReads = 2;

/** None of these reads may fail inside for good after it succeeded. Costs nothing unless one failed when it was last sent. */
export async function mustStayReadable(api: Api, operation: ReadOperation, readable: readonly Cell[]): Promise<void> {
  const isBroken = ({ principal, resource }: Cell): boolean =>
    brokenSince(api.session, { operation, authorization: as(principal).authorization, ownerId: resource }) !==
    undefined;
  let broken = readable.filter(isBroken).slice(0, mostReads);
  const failed: Answer[] = [];
  for (const pauseMs of broken.length === 0 ? [] : pausesForGoodMs) {
    await api.session.clock.sleep(pauseMs);
    broken = (await cellsOf(api, operation, broken)).filter(({ answer }) => isOwnInternalError(answer));
    failed.push(...broken.map(({ answer }) => answer));
  }
  const [first] = broken;
  if (first === undefined) return;
  const { principal, resource, answer } = first;
  throw new Violation(
    `no error inside for ${principal.name}, who could read ${resource} before`,
    `${summary(answer)} to each of ${pausesForGoodMs.length} requests`,
    failed.map(({ exchange }) => exchange),
  );
}
