import { type Answer, isSuccess } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import { judgeRepetition } from '../../promises/idempotency.ts';
import type { Judgement } from '../../promises/judgement.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** Requests whose first answer a run remembers. */
const mostFirst = 20_000;

/** What is known of the requests with one identity. */
type Requests = {
  /** The answer to the first accepted one. */
  first: Answer | undefined;
  sent: number;
  /** Those that wait for an answer, and those that never got one: the deployment may still work on them. */
  open: number;
  /** Whether an answer showed the response finished. */
  isFinished: boolean;
};

type Repetitions = {
  readonly requests: Map<string, Requests>;
  count: number;
  judgement: Judgement;
  /** How the wait differs, and when, in repetitions with another wait that were accepted, and in those that were refused. */
  readonly acceptedWaits: Set<string>;
  readonly refusedWaits: { readonly difference: string; readonly judgement: Judgement }[];
};

const repetitionsIn = perRun((): Repetitions => ({
  requests: new Map(),
  count: 0,
  judgement: undefined,
  acceptedWaits: new Set(),
  refusedWaits: [],
}));

/** What may refuse a key that belongs to another request. */
const refusals: readonly number[] = [400, 409, 422];

/** Refused repetitions with another wait, where others were accepted, that are no accident. */
const enoughRefused = 2;

/**
 * Sends a request, and judges its answer by the first accepted one with the same `identity`: its caller, chat, key and text. A
 * request that overlaps that one is left out, because it is unknown which of them came first. A 409 is judged only if
 * nothing with the same identity was under way: a deployment may refuse a request while it works on the same one. One with another wait
 * is judged only if it happens twice and others like it are accepted, because a key may belong to its wait.
 */
export async function sendRepeatable(
  session: Session,
  identity: readonly unknown[],
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { requests } = repetitionsIn(session);
  const place = JSON.stringify(identity);
  const same = requests.get(place) ?? { first: undefined, sent: 0, open: 0, isFinished: false };
  if (requests.size < mostFirst) requests.set(place, same);
  const wereOpen = same.open;
  same.open += 1;
  same.sent += 1;
  const ordinal = same.sent;
  const answer = await send();
  same.open -= 1;
  const isAlone = wereOpen === 0 && same.sent === ordinal && answer.exchange.repeats !== true;
  if (isSuccess(answer) || (refusals.includes(answer.status) && isAlone)) noteAnswer(session, same, answer);
  same.isFinished ||= answer.status === 200;
  return answer;
}

function noteAnswer(session: Session, same: Requests, again: Answer): void {
  const { first } = same;
  if (first === undefined) {
    if (isSuccess(again)) same.first = again;
    return;
  }
  if (again.exchange.sentAt < first.exchange.receivedAt) return;
  const repetitions = repetitionsIn(session);
  const judgement = judgeRepetition({ first, again });
  const difference = differenceOf(same, first, again);
  // A key may belong to the whole request, with its wait: then each one with another wait is refused.
  if (difference !== undefined && !isSuccess(again))
    return void repetitions.refusedWaits.push({ difference, judgement });
  if (!isSuccess(again) && again.status !== 409) return;
  if (difference !== undefined) repetitions.acceptedWaits.add(difference);
  repetitions.count += 1;
  if (typeof judgement === 'object') repetitions.judgement ??= judgement;
}

/**
 * How the wait differs: a deployment may look at the wait only if it is longer, or shorter, or only while the response is generating.
 * So a repetition before an answer that shows the response finished is unlike those after it.
 */
function differenceOf({ isFinished }: Requests, first: Answer, again: Answer): string | undefined {
  const [before, now] = [first, again].map(({ exchange }) => waitIn(exchange.request.path));
  if (before === now) return undefined;
  const direction = Number(now ?? 0) > Number(before ?? 0) ? 'longer' : 'shorter';
  // An earlier accepted one may have come when the response had finished, or while it was generating.
  const phase = isFinished ? 'finished' : isSuccess(again) ? 'unknown' : 'perhaps generating';
  return [before !== undefined, now !== undefined, direction, phase].join();
}

/** The repeated requests of this run so far, and the judgement of the first one that did not show the same messages. */
export function repetitionsOf(session: Session): Pick<Repetitions, 'count' | 'judgement'> {
  const { count, judgement, acceptedWaits, refusedWaits } = repetitionsIn(session);
  const refused = refusedWaits.filter(({ difference }) => acceptedWaits.has(difference));
  const isRefused = refused.length >= enoughRefused;
  return isRefused
    ? { count: count + refused.length, judgement: judgement ?? refused[0]?.judgement }
    : { count, judgement };
}
