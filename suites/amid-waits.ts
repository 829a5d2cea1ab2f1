import { must, summary } from '../harness/answer.ts';
import type { Api } from '../harness/api.ts';
import { answeredInTime } from '../harness/answered-in-time.ts';
import { during } from '../harness/at-once.ts';
import { givenPair, makeIdle, quiet, type Sent, send, sendAgain, tooFast } from '../harness/conversation.ts';
import { type Answer, isSuccess } from '../harness/exchange.ts';
import { givenKeyHeader } from '../harness/key-header.ts';
import { givenAllowanceMs } from '../harness/latency.ts';
import { Blocked } from '../harness/verdict.ts';

/** Requests that are sent to be held for one response, and those of them that must be: more than a usual pool has connections. */
const crowd = 14;
const fewestHeld = 11;
/** How long they are held, in seconds, from when the last one was sent. */
const heldSeconds = 4;

/**
 * While many requests are held with wait, one without it is answered at once, in another chat. It is late only where it came
 * after the first of those had ended: what is slow by itself did not wait for them.
 */
export async function mustAnswerAmidWaits(api: Api): Promise<void> {
  await givenKeyHeader(api);
  const allowanceMs = await givenAllowanceMs(api);
  const [busy, free] = await givenPair(api, (one, other) => one.admin === other.admin);
  for (const chat of [busy, free]) await makeIdle(api, chat);
  await quiet(api, free);
  const { limits, assistant } = api.session.target;
  const message = assistant.slowPrompt;
  const sendingMs = 1000 + (1000 * crowd) / limits.maxRequestsPerSecond;
  const wait = heldSeconds + Math.ceil(sendingMs / 1000);
  const key = api.freshKey();
  const first = send(api, busy, { message, wait, keyOf: () => key });
  async function repeat(): Promise<Answer> {
    await api.session.clock.sleep(300);
    return sendAgain(api, { chat: busy, key, text: message } satisfies Partial<Sent>, { wait });
  }
  const held = Promise.all([first, ...Array.from({ length: crowd - 1 }, repeat)]);
  const promised = `an answer at once, within ${Math.round(allowanceMs)} ms, while a dozen requests are held`;
  async function sendFree(): Promise<Answer> {
    await api.session.clock.sleep(sendingMs);
    return answeredInTime(promised, () => send(api, free, { message }));
  }
  const [waiting, answer] = await during(held, sendFree());
  const { sentAt, receivedAt } = answer.exchange;
  const waited = waiting.filter(({ exchange }) => exchange.sentAt < sentAt && exchange.receivedAt > sentAt);
  if (waited.length < fewestHeld) throw new Blocked(`${waited.length} requests were held at once: ${tooFast}`);
  const isBehind = waited.some(({ exchange }) => exchange.receivedAt <= receivedAt + limits.toleranceMs);
  const isLate = answer.elapsedMs > allowanceMs && isBehind;
  must(!isLate, promised, `${Math.round(answer.elapsedMs)} ms`, answer, ...waited.slice(0, 3));
  if (!isSuccess(answer)) throw new Blocked(`the other chat was answered ${summary(answer)}`);
}
