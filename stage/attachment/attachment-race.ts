import { countLagMs, untilCounted } from './count-lag.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { takeAnother, takeAttachable, takePair } from './attachables.ts';
import { givenAcceptedAttachment } from './attachment.ts';
import { countIn, readAccount, readNoEarlier } from './counts.ts';
import type { Answer, Exchange } from '../../core/exchange.ts';
import { findOrder, noOrderFrom, type Order, type Step } from '../../engine/history/find-order.ts';
import type { Lanes } from '../../engine/history/lanes.ts';
import { shared } from '../../engine/fixture.ts';
import type { Gate } from '../../engine/at-once.ts';
import { effectOf, internalErrorsIn, race, type Raced, racedOf, readStep, writeStep } from '../../engine/race.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Organizations that several requests each attached at the same instant, while the account was read. */
export type AttachmentRace = {
  /** One or two, all to one account. */
  readonly attachables: readonly [Attachable, ...Attachable[]];
  readonly before: Answer;
  readonly countBefore: number;
  /** The last count, read after the longest lag. */
  readonly after: Answer;
  readonly countAfter: number;
  /** By organization, in the order of `attachables`. */
  readonly attempts: readonly (readonly Raced[])[];
  /** Whether some order of the attachments explains all answers. */
  readonly order: Order;
  /** The overlapping requests, and when no order explained them any more; undefined if some order may explain them. */
  readonly lanes: Lanes | undefined;
};

/** The number of requests to attach each organization, and of concurrent reads of the account. */
const twins = 3;
const readers = 4;

/** The requests of the race, before anything is concluded from them. */
type RacedAttachments = Pick<AttachmentRace, 'attachables' | 'before' | 'attempts'> & {
  readonly reads: readonly Raced[];
  /** The internal errors of each round, and the number of attachments in a round. */
  readonly rounds: readonly (readonly Exchange[])[];
  readonly count: number;
};

/**
 * Attachments at the same instant, held once in a run. Organizations for which there were only internal errors are raced
 * once more. The recorded attachments come first, because more checks need them.
 */
export const givenRacedAttachments = shared(async (api: Api): Promise<RacedAttachments> => {
  const { countAtLast } = await givenAcceptedAttachment(api);
  const first = takeAttachable(api);
  const second = takeAnother(api, first);
  return raceFor(api, second === undefined ? [first] : [first, second], countAtLast);
});

/** `shown` is the count that the account showed before. */
async function raceFor(
  api: Api,
  attachables: RacedAttachments['attachables'],
  shown: number | undefined,
): Promise<RacedAttachments> {
  const [first] = attachables;
  const count = attachables.length * twins;
  // The count may lag behind earlier attachments.
  await untilCounted(api.session);
  const before = await readNoEarlier(api, first, shown);
  const raced = await race(api, [
    ...attachables.flatMap((one) => Array.from({ length: twins }, () => attaching(api, one))),
    ...Array.from({ length: readers }, () => (gate: Gate) => readAccount(api, first, { gate })),
  ]);
  const attempts = attachables.map((_, index) => raced.slice(index * twins, (index + 1) * twins));
  const reads = raced.slice(count);
  const left = attachables[attempts.findLastIndex((some) => internalErrorsIn(some).length === some.length)];
  if (left === undefined) return { attachables, before, attempts, reads, rounds: [], count };
  const again = await race(
    api,
    Array.from({ length: count }, () => attaching(api, left)),
  );
  return {
    attachables,
    before,
    attempts: attempts.map((some, index) => (attachables[index] === left ? [...some, ...again] : some)),
    reads,
    rounds: [attempts.flat(), again].map(internalErrorsIn),
    count,
  };
}

function attaching(api: Api, { admin, billingAccountId, organizationId }: Attachable) {
  return (gate: Gate): Promise<Answer> =>
    api.attachOrganization(as(admin), billingAccountId, { organizationId }, { gate });
}

/** A race of attachments. Blocked if no organization is left. */
export const givenAttachmentRace = shared(async (api: Api) => readRace(api, await givenRacedAttachments(api)));

/**
 * Another race, for the same account and with the same key, where the first one proves too little. Undefined if fewer
 * pairs of organizations are left than are needed.
 */
export async function raceTwoMore(
  api: Api,
  { attachables: [first], countAfter }: AttachmentRace,
  pairs: number,
): Promise<AttachmentRace | undefined> {
  const pair = takePair(api, first, pairs);
  return pair === undefined ? undefined : readRace(api, await raceFor(api, pair, countAfter));
}

async function readRace(api: Api, raced: RacedAttachments): Promise<AttachmentRace> {
  const { attachables, before, attempts, reads: during } = raced;
  const countBefore = givenCountIn(before);
  if (!attempts.every((some) => some.some((one) => effectOf(one) === 'done'))) {
    throw new Blocked('not every organization of the race was attached');
  }
  const [first] = attachables;
  const atOnce = await readAccount(api, first);
  await untilCounted(api.session);
  // A copy may be further behind than the ones that were read so far.
  const after = await readNoEarlier(api, first, countBefore + attachables.length);
  const [earlier, last] = [[...during, racedOf(atOnce)], racedOf(after)];
  // A copy that shows fewer than before is behind the one that was read then. The last read has waited for those.
  const isBehind = ({ answer }: Raced) => answer !== undefined && (countIn(answer) ?? countBefore) < countBefore;
  const judged = [...earlier.filter((read) => !isBehind(read)), last];
  const steps = stepsOf(countBefore, attempts, judged, countLagMs(api.session));
  const order = findOrder(steps, 0);
  const lanes =
    order === 'none'
      ? { requests: requestsOf(attempts, [...earlier, last]), failsAt: noOrderFrom(steps, 0) }
      : undefined;
  return { attachables, before, countBefore, after, countAfter: givenCountIn(after), attempts, order, lanes };
}

/** The states are sets of attached organizations, as bits. */
function stepsOf(
  countBefore: number,
  attempts: AttachmentRace['attempts'],
  reads: readonly Raced[],
  lagMs: number,
): readonly Step[] {
  const writes = attempts.flatMap((some, index) => some.map((one) => writeStep(one, (state) => state | (1 << index))));
  const counts = reads.flatMap((read) => {
    const count = read.answer === undefined ? undefined : countIn(read.answer);
    if (count === undefined) return [];
    return [readStep(read, lagMs, (state) => countBefore + bitsOf(state) === count)];
  });
  return [...writes, ...counts];
}

function requestsOf(attempts: AttachmentRace['attempts'], reads: readonly Raced[]): Lanes['requests'] {
  const write = ({ answer }: Raced, index: number) =>
    answer === undefined ? [] : [{ exchange: answer.exchange, shows: `organization ${index + 1}` }];
  const read = ({ answer }: Raced) =>
    answer === undefined ? [] : [{ exchange: answer.exchange, shows: `count ${countIn(answer) ?? 'unknown'}` }];
  return [...attempts.flatMap((some, index) => some.flatMap((one) => write(one, index))), ...reads.flatMap(read)];
}

function givenCountIn(answer: Answer): number {
  const count = countIn(answer);
  if (count === undefined) throw new Blocked('the billing account shows no organizationCount that is a number');
  return count;
}

function bitsOf(state: number): number {
  return state.toString(2).replaceAll('0', '').length;
}
