import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { brokenLimits, isBroken } from '../../engine/session/answers/broken-reads.ts';
import { Violation } from '../../engine/verdict.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { pausesForGoodMs } from '../shared/for-good.ts';
import { type Cell, givenGranted, type ReadOperation } from './access-matrix.ts';

/** Reads that are tried again at most. */
const mostReads = 4;

/** A read by someone who could read the resource, and its limit, '' for none. */
type Broken = { readonly cell: Cell; readonly limit: string };

/** None of these reads may fail inside or be denied for good, with any limit. Costs nothing unless one was when it was last sent. */
export async function mustStayReadable(api: Api, operation: ReadOperation, readable: readonly Cell[]): Promise<void> {
  let broken: readonly Broken[] = readable
    .flatMap((cell) => {
      const read = { operation, authorization: as(cell.principal).authorization, ownerId: cell.resource };
      return brokenLimits(api.session, read)
        .slice(0, 1)
        .map((limit) => ({ cell, limit }));
    })
    .slice(0, mostReads);
  const failed: { readonly one: Broken; readonly answer: Answer }[] = [];
  // Once is enough where the requirement is known to be violated.
  const pausesMs = api.isKnown ? pausesForGoodMs.slice(0, 1) : pausesForGoodMs;
  for (const pauseMs of broken.length === 0 ? [] : pausesMs) {
    await api.session.clock.sleep(pauseMs);
    const left: Broken[] = [];
    for (const one of broken) {
      const answer = await readAgain(api, operation, one);
      if (!isBroken(answer)) continue;
      left.push(one);
      failed.push({ one, answer });
    }
    broken = left;
  }
  for (const one of broken) {
    const { cell, limit } = one;
    const answers = failed.filter((each) => each.one === one).map(({ answer }) => answer);
    const last = answers.at(-1);
    if (last === undefined) continue;
    // Another client may have removed what no admin can read any more.
    if (!isOwnInternalError(last) && !(await isReadByOthers(api, operation, cell, readable))) continue;
    throw new Violation(
      `2xx${limit === '' ? '' : ` with limit=${limit}`} for ${cell.principal.name}, who could read ${cell.resource}`,
      `${summary(last)} to each of ${pausesMs.length} requests`,
      answers.map(({ exchange }) => exchange),
    );
  }
}

/** The data sources of an organization stay readable for each admin: a deletion or its cleanup job may change who has a role. */
export async function mustStayReadableForAll(api: Api, organizationId: string): Promise<void> {
  const granted = await givenGranted(api, 'listDataSources');
  const readable = granted.filter(({ resource, answer }) => resource === organizationId && isSuccess(answer));
  for (const cell of readable) await readAgain(api, 'listDataSources', { cell, limit: '1' });
  await mustStayReadable(api, 'listDataSources', readable);
}

/** Whether someone else who could read the resource still can. */
async function isReadByOthers(
  api: Api,
  operation: ReadOperation,
  { resource, principal }: Cell,
  readable: readonly Cell[],
): Promise<boolean> {
  const other = readable.find((cell) => cell.resource === resource && cell.principal !== principal);
  return other !== undefined && isSuccess(await readAgain(api, operation, { cell: other, limit: '' }));
}

function readAgain(api: Api, operation: ReadOperation, { cell, limit }: Broken): Promise<Answer> {
  const { principal, resource } = cell;
  if (operation === 'getBillingAccount') return api.getBillingAccount(as(principal), resource);
  return requestPage(api, operation, as(principal), resource, limit === '' ? {} : { limit });
}
