import type { Api } from '../../engine/api.ts';
import { errorsOf, isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import { erredAfterPause } from '../../engine/session/errors/first-after-pause.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustBeRare, withTransientErrors } from '../shared/transient-errors.ts';
import { type Cell, cellsOf, givenGranted, type ReadOperation, readOperations } from './access-matrix.ts';

/** How often the pause is repeated. */
const pauses = 3;

/**
 * If a request ended in an internal error after a pause of the run, the run pauses as long again and reads something, each time: internal
 * errors that come by chance do not come after each pause. Nothing is sent if no request ended so.
 */
export async function mustAnswerAfterPauses(api: Api): Promise<void> {
  const first = erredAfterPause(api.session);
  const operation = readOperations.find((one) => one === first?.erred.operation) ?? 'listModels';
  const readable = (await givenGranted(api, operation)).filter(({ answer }) => isSuccess(answer));
  const cell = readable.find(({ principal }) => principal.name === first?.erred.caller) ?? readable[0];
  if (cell === undefined) throw new Blocked('no resource could be read at the beginning of the run');
  if (first === undefined) return;
  const erred: Exchange[] = [];
  while (erred.length < pauses) {
    await api.session.clock.sleep(first.pauseMs);
    const error = await errorOf(api, operation, cell);
    if (error === undefined) return;
    erred.push(error);
  }
  mustNotRecur(api, `${pauses} pauses of ${(first.pauseMs / 1000).toFixed(1)} s`, erred);
}

/** The internal errors of one read after each of these are no accident if those of all other reads are too rare. */
export function mustNotRecur({ session }: Api, after: string, erred: readonly Exchange[]): void {
  const counts = readOperations.map((one) => errorsOf(session, one));
  const requests = counts.reduce((sum, count) => sum + count.requests, -erred.length);
  const errors = counts.reduce((sum, count) => sum + count.errors, -erred.length);
  const expected = `a read that is answered after each of ${after}`;
  mustBeRare(expected, 'an internal error', erred, erred.length, { requests, errors });
}

/** The internal error that a read ended in, even if it was answered when it was repeated. */
export async function errorOf(api: Api, operation: ReadOperation, cell: Cell): Promise<Exchange | undefined> {
  const { made, stumbled } = await withTransientErrors(api, () => cellsOf(api, operation, [cell]));
  return [...stumbled, ...made.map(({ answer }) => answer.exchange)].find((exchange) => {
    const answer = answerOf(exchange);
    return answer !== undefined && isOwnInternalError(answer);
  });
}
