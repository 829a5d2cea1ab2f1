import type { Api } from '../../engine/api.ts';
import { type Attempt, explain, inexplicableFrom } from '../../engine/history/chat-history.ts';
import { perCheck } from '../../engine/session/run-memory.ts';
import type { Lanes } from '../../engine/history/lanes.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import type { Answer } from '../../core/exchange.ts';
import { Violation } from '../../engine/verdict.ts';

type Recorded = Attempt & { readonly answer: Answer | undefined };

type Notes = { readonly idleAt: number; readonly attempts: Recorded[] };

const notesOf = perCheck(() => new Map<Chat, Notes>());

/** Starts the record of a chat for a check; the chat was seen idle at `idleAt`. */
export function beginAttempts(api: Api, chat: Chat, idleAt: number): void {
  notesOf(api).set(chat, { idleAt, attempts: [] });
}

/** Sends, and remembers the request for {@link mustBeExplicable}. */
export async function attempt(
  api: Api,
  chat: Chat,
  { key, wait }: { readonly key: string; readonly wait: string | number | undefined },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const attempts = notesOf(api).get(chat)?.attempts;
  const waitMs = typeof wait === 'number' ? wait * 1000 : 0;
  const startedAt = api.session.clock.now();
  try {
    const answer = await send();
    const { repeats, receivedAt } = answer.exchange;
    // A request that was sent again may have been accepted the first time.
    const sentAt = repeats === true ? startedAt : answer.exchange.sentAt;
    attempts?.push({ key, waitMs, sentAt, receivedAt, status: answer.status, answer });
    return answer;
  } catch (error) {
    const receivedAt = Number.POSITIVE_INFINITY;
    attempts?.push({ key, waitMs, sentAt: startedAt, receivedAt, status: 0, answer: undefined });
    throw error;
  }
}

/** Takes a message out of the record of a chat, because it was accepted before the record began. */
export function leaveOut(api: Api, chat: Chat, key: string): void {
  const notes = notesOf(api).get(chat);
  if (notes === undefined) return;
  notesOf(api).set(chat, { ...notes, attempts: notes.attempts.filter((one) => one.key !== key) });
}

/** Whether an attempt is judged. An outage explains every 409, and a repetition may show what is no longer true. */
const judgements = {
  all: () => true,
  'without 409': ({ status }) => status !== 409,
  'without repetitions': (one, all) => all.find(({ key }) => key === one.key) === one,
} satisfies Record<string, (one: Recorded, all: readonly Recorded[]) => boolean>;

/** Throws a Violation with the proof unless one response at a time explains everything that this check saw of the chat. */
export function mustBeExplicable(api: Api, chat: Chat, judged: keyof typeof judgements = 'all'): void {
  const noted = notesOf(api).get(chat);
  if (noted === undefined) throw new Error('this check did not start a record of the chat');
  const attempts = noted.attempts.filter((one) => judgements[judged](one, noted.attempts));
  const notes = { ...noted, attempts };
  const history = { ...notes, toleranceMs: api.session.target.limits.toleranceMs };
  const explanation = explain(history);
  if (explanation.kind !== 'inexplicable') return;
  const evidence = explanation.attempts.flatMap(({ answer }) => (answer === undefined ? [] : [answer.exchange]));
  const lanes = { requests: requestsOf(notes.attempts), failsAt: inexplicableFrom(history) };
  const [expected, actual] =
    explanation.reason === 'overlap'
      ? [
          'one response generating at a time in the chat',
          `${countOf(explanation.attempts)} messages accepted, the first still generating when the next was let in`,
        ]
      : textsOfConflict(explanation.attempts);
  throw new Violation(expected, actual, evidence, lanes);
}

/** If an accepted message may have kept the chat busy, the 409 may be right and the acceptance wrong. */
function textsOfConflict(attempts: readonly Recorded[]): readonly [string, string] {
  const refused = attempts.filter(({ status }) => status === 409);
  const mayBeRight = ({ sentAt, receivedAt }: Recorded) =>
    attempts.some(
      (other) => isAccepted(other) && other.sentAt < receivedAt && (other.status === 202 || other.receivedAt > sentAt),
    );
  if (!refused.some(mayBeRight)) return ['no 409 while no response is generating in the chat', '409'];
  const accepted = countOf(attempts);
  return [
    'answers that fit some order of the requests: 409 while a response is generating, 2xx when none is',
    `no order fits: ${accepted} accepted, ${refused.length} refused with 409`,
  ];
}

/** The same proof as a value; undefined if one response at a time explains everything. */
export function inexplicableIn(api: Api, chat: Chat): Violation | undefined {
  try {
    mustBeExplicable(api, chat);
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

/** Requests with one key are one message. */
function requestsOf(attempts: readonly Recorded[]): Lanes['requests'] {
  const inOrder = attempts.toSorted((one, other) => one.sentAt - other.sentAt);
  const keys = [...new Set(inOrder.map(({ key }) => key))];
  return inOrder.flatMap(({ key, answer }) =>
    answer === undefined ? [] : [{ exchange: answer.exchange, shows: `message ${keys.indexOf(key) + 1}` }],
  );
}

function countOf(attempts: readonly Recorded[]): number {
  return new Set(attempts.filter(isAccepted).map(({ key }) => key)).size;
}

function isAccepted({ status }: Recorded): boolean {
  return status >= 200 && status < 300;
}
