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
};

type Repetitions = {
  readonly requests: Map<string, Requests>;
  count: number;
  judgement: Judgement;
  /** How the wait differs in repetitions with another wait that were accepted, and in those that were refused. */
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
  const same = requests.get(place) ?? { first: undefined, sent: 0, open: 0 };
  if (requests.size < mostFirst) requests.set(place, same);
  const wereOpen = same.open;
  same.open += 1;
  same.sent += 1;
  const ordinal = same.sent;
  const answer = await send();
  same.open -= 1;
  const isAlone = wereOpen === 0 && same.sent === ordinal && answer.exchange.repeats !== true;
  if (isSuccess(answer) || (answer.status === 409 && isAlone)) noteAnswer(session, same, answer);
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
  const waits = [first, again].map(({ exchange }) => waitIn(exchange.request.path));
  if (waits[0] !== waits[1]) {
    const difference = waits.map((wait) => wait !== undefined).join();
    // A key may belong to the whole request, with its wait: then each one with another wait is refused.
    if (!isSuccess(again)) return void repetitions.refusedWaits.push({ difference, judgement });
    repetitions.acceptedWaits.add(difference);
  }
  repetitions.count += 1;
  if (typeof judgement === 'object') repetitions.judgement ??= judgement;
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
