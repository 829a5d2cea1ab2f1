import { countLagMs } from './count-lag.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Attachable } from '../../core/attachables.ts';
import { takeAnother, takeAttachable } from './attachables.ts';
import { countIn, givenAcceptedAttachment, readAccount } from './attachment.ts';
import type { Answer } from '../../core/exchange.ts';
import { findOrder, noOrderFrom, type Order, type Step } from '../../engine/history/find-order.ts';
import type { Lanes } from '../../engine/history/lanes.ts';
import { shared } from '../../engine/fixture.ts';
import type { Gate } from '../../engine/at-once.ts';
import { effectOf, race, type Raced, racedOf, readStep, writeStep } from '../../engine/race.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Organizations that several requests each attached at the same instant, while the account was read. */
export type AttachmentRace = {
  /** One or two, all to one account. */
  readonly attachables: readonly Attachable[];
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
const twins = 4;
const readers = 4;

/**
 * A race of attachments, held once in a run. Blocked if no organization is left: the recorded attachments come first,
 * because more checks need them.
 */
export const givenAttachmentRace = shared(async (api: Api): Promise<AttachmentRace> => {
  await givenAcceptedAttachment(api);
  const first = takeAttachable(api);
  const second = takeAnother(api, first);
  const attachables = second === undefined ? [first] : [first, second];
  const { clock } = api.session;
  // The count may lag behind earlier attachments.
  await clock.sleep(countLagMs(api.session));
  const before = await readAccount(api, first);
  const countBefore = givenCountIn(before);
  const raced = await race(api, [
    ...attachables.flatMap(({ admin, billingAccountId, organizationId }) =>
      Array.from(
        { length: twins },
        () => (gate: Gate) => api.attachOrganization(as(admin), billingAccountId, { organizationId }, { gate }),
      ),
    ),
    ...Array.from({ length: readers }, () => (gate: Gate) => readAccount(api, first, { gate })),
  ]);
  const attempts = attachables.map((_, index) => raced.slice(index * twins, (index + 1) * twins));
  if (!attempts.every((some) => some.some((one) => effectOf(one) === 'done'))) {
    throw new Blocked('not every organization of the race was attached: attach.success judges that');
  }
  const atOnce = await readAccount(api, first);
  await clock.sleep(countLagMs(api.session));
  const after = await readAccount(api, first);
  const reads = [...raced.slice(attachables.length * twins), racedOf(atOnce), racedOf(after)];
  const steps = stepsOf(countBefore, attempts, reads, countLagMs(api.session));
  const order = findOrder(steps, 0);
  const lanes =
    order === 'none' ? { requests: requestsOf(attempts, reads), failsAt: noOrderFrom(steps, 0) } : undefined;
  return { attachables, before, countBefore, after, countAfter: givenCountIn(after), attempts, order, lanes };
});

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
  if (count === undefined)
    throw new Blocked('the billing account shows no organizationCount: billing.types judges that');
  return count;
}

function bitsOf(state: number): number {
  return state.toString(2).replaceAll('0', '').length;
}
