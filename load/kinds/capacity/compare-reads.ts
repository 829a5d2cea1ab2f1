import { type Answer, answerOf } from '../../../core/exchange.ts';
import { at, stringAt } from '../../../core/json.ts';
import { readPage } from '../../../core/page.ts';
import { describe } from '../../../core/text.ts';
import { pageProblem } from '../../../engine/history/page-problem.ts';
import type { Broken } from '../../../promises/judgement.ts';
import { eachItemOnce } from '../../../promises/lists.ts';
import type { RequirementId } from '../../../spec/catalogue.ts';
import type { Listener } from '../../engine/open-engine.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { createJudgedTally, type Ended, exchangeOf, type Judged } from './judged.ts';

/** A copy of the data may be behind the others for this long, in milliseconds. */
export const usualLagMs = 15_000;

/** Bounds: the remembered first answers, the doubted answers of a trial, and the comparisons that run at the same time. */
const mostRemembered = 500;
const mostDoubted = 20;
const mostRead = 20;
/** A doubted answer counts if this many answers after the trial equal the one before it. */
const looks = 3;

export type ComparedReads = {
  readonly listener: Listener;
  /** Judges what came since the last call. `read` sends a request when the load is over. */
  readonly judge: (read: (request: LoadRequest) => Promise<Ended>) => Promise<Judged>;
};

export type CompareOptions = {
  /** Data sources that the search deletes at some time. */
  readonly deletable: ReadonlySet<string>;
  readonly lagMs: number;
  readonly sleep: (ms: number) => Promise<void>;
};

type Remembered = {
  readonly request: LoadRequest;
  readonly firstAt: number;
  /** The first answer. */
  readonly first: Promise<Answer | undefined>;
  /** The bytes of the last answer that agrees with it. */
  body: Uint8Array;
};

type Difference = Pick<Broken, 'expected' | 'actual'> & { readonly requirement: RequirementId };
type Doubt = { readonly known: Remembered; readonly answer: Answer; readonly difference: Difference };

/**
 * Compares the answers to the same request over a whole search. A search attaches nothing, and deletes only what is `deletable`. So a
 * page that skips another item, or another count, is a violation if the answers before and after the trial agree. If they
 * differ, another client changed the data. Answers soon after the first one may come from a copy that lags, so they prove nothing.
 */
export function compareReads({ deletable, lagMs, sleep }: CompareOptions): ComparedReads {
  const known = new Map<string, Remembered>();
  let doubts: Doubt[] = [];
  const reading = new Set<Promise<void>>();
  let tally = createJudgedTally();

  function listener(...[request, arrived, { sentAt, endedAt }]: Parameters<Listener>): void {
    if (!request.repeats || arrived.outcome !== 200) return;
    const ended = { request, arrived, sentAt, endedAt };
    const before = known.get(nameOf(request));
    if (before === undefined) {
      if (known.size >= mostRemembered) return;
      const first = exchangeOf(ended).then(answerOf);
      known.set(nameOf(request), { request, firstAt: endedAt, first, body: Buffer.concat(arrived.body) });
    } else if (sentAt >= before.firstAt + lagMs && reading.size < mostRead) {
      const body = Buffer.concat(arrived.body);
      if (Buffer.compare(body, before.body) === 0) tally.add(requirementOf(request), 'kept', []);
      else {
        const looked = look(before, ended, body).finally(() => reading.delete(looked));
        reading.add(looked);
      }
    }
  }

  async function look(before: Remembered, ended: Ended, body: Uint8Array): Promise<void> {
    const [first, answer] = [await before.first, answerOf(await exchangeOf(ended))];
    if (first === undefined || answer === undefined) return;
    const difference = differenceOf(first, answer, deletable);
    if (difference === undefined) {
      before.body = body;
      tally.add(requirementOf(before.request), 'kept', []);
    } else if (doubts.length < mostDoubted) doubts.push({ known: before, answer, difference });
  }

  async function judge(read: (request: LoadRequest) => Promise<Ended>): Promise<Judged> {
    await Promise.all(reading);
    const doubted = Map.groupBy(doubts, (doubt) => doubt.known);
    if (doubted.size > 0) await sleep(lagMs);
    for (const [{ request, first }, [doubt]] of doubted) {
      const before = await first;
      if (before === undefined || doubt === undefined) continue;
      const after = await readAgain(
        () => read(request),
        (again) => differenceOf(before, again, deletable) !== undefined,
      );
      const { requirement, ...difference } = doubt.difference;
      if (after === undefined) known.delete(nameOf(request));
      else
        tally.add(
          requirement,
          difference,
          [before, doubt.answer, after].map(({ exchange }) => exchange),
        );
    }
    const { result } = tally;
    [doubts, tally] = [[], createJudgedTally()];
    return result();
  }

  return { listener, judge };
}

/** The last of several answers that all agree with the one before; undefined if one does not. */
async function readAgain(
  read: () => Promise<Ended>,
  differs: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  let last: Answer | undefined;
  for (let count = 0; count < looks; count += 1) {
    last = answerOf(await exchangeOf(await read()));
    if (last?.status !== 200 || differs(last)) return undefined;
  }
  return last;
}

function nameOf({ caller, request }: LoadRequest): string {
  return `${caller} ${request.path}`;
}

function requirementOf({ operation }: LoadRequest): RequirementId {
  return operation === 'getBillingAccount' ? 'attach.count' : eachItemOnce.requirement;
}

/** What an answer lacks, or shows differently from the first one. New items of a list, and every other field, may differ. */
function differenceOf(first: Answer, answer: Answer, deletable: ReadonlySet<string>): Difference | undefined {
  if (first.exchange.operation === 'getBillingAccount') {
    const [before, now] = [first, answer].map(({ json }) => at(json, 'data', 'organizationCount'));
    if (typeof before !== 'number' || before === now) return undefined;
    const expected = `organizationCount ${before}, because nothing was attached`;
    return { requirement: 'attach.count', expected, actual: describe(now) };
  }
  const [before, now] = [readPage(first), readPage(answer)];
  if (before === undefined || now === undefined) return undefined;
  const listed = before.items.map(({ id, record }) => {
    const source = stringAt(record, 'databaseConnectionId') ?? '';
    return { id, mayLack: deletable.has(id) || deletable.has(source) };
  });
  const shown = now.items.map(({ id }) => id);
  const problem = pageProblem(listed, undefined, shown, now.hasMore);
  if (problem === undefined) return undefined;
  const actual = `${describe(problem.id)} is ${problem.kind === 'missing' ? 'left out' : 'in another place'}`;
  return {
    requirement: eachItemOnce.requirement,
    expected: 'the page that the same request showed before and after',
    actual,
  };
}
