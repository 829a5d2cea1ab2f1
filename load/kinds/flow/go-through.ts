import type { Clock } from '../../../core/clock.ts';
import type { Sent } from '../../engine/send-one.ts';
import { addStep, countStep, type EndedStep, type Measurement } from '../../measure/measurement.ts';
import { classOf, type Outcome } from '../../measure/outcome.ts';
import { createDraw } from '../../schedule/draw.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { type FlowStep, wholeFlow } from './flow-steps.ts';
import type { FlowUser, StepRequests } from './step-request.ts';

export type FlowRun = StepRequests & {
  readonly steps: readonly FlowStep[];
  readonly measurement: Measurement;
  /** Instants are of this clock, whose sleepers wake when the run ends. */
  readonly clock: Clock;
  readonly seed: number;
  /** The instant 0 of the measurement. */
  readonly startAt: number;
  /** How long the target file allows a response to take, in milliseconds. */
  readonly patienceMs: number;
  /** Ends all flows at once. */
  readonly signal: AbortSignal;
  /** Resolves when the request is over. */
  readonly send: (request: LoadRequest, scheduledAt: number, isWarmUp: boolean) => Promise<Sent>;
};

/** What is known when a user has ended a flow. */
export type Left = {
  /** The outcome of the user's last message; undefined if the user sent none. */
  readonly message: Outcome | undefined;
};

const thinkLabel = 6;
/** The pause before a message is tried again while the last response is generated, in milliseconds. */
const retryMs = 500;

export function addSteps(measurement: Measurement, steps: readonly FlowStep[]): void {
  const ofWhole = steps.find(({ send }) => send === 'sendMessage') ?? steps[0];
  if (ofWhole !== undefined) addStep(measurement, wholeFlow, ofWhole.send);
  for (const { name, send } of steps) addStep(measurement, name, send);
}

/**
 * Takes one user through all steps, until one does not succeed. A step that refers to a value which is not there is skipped.
 * Its time counts from when the user was done thinking; the time of the flow from when the user arrived.
 */
export async function goThrough(run: FlowRun, user: FlowUser, arrivedAt: number): Promise<Left> {
  const { steps, signal, measurement, requestOf, recall } = run;
  const isWarmUp = user.index < 0;
  const draw = createDraw(run.seed);
  let last: Ended | undefined;
  let message: Outcome | undefined;
  for (const [place, step] of steps.entries()) {
    if (requestOf(step, user, 0) === undefined) {
      countStep(measurement, step.name, 'skipped', isWarmUp);
      continue;
    }
    const { leastMs, mostMs } = step.think;
    const thinkMs = last === undefined ? 0 : leastMs + draw.at(user.index, thinkLabel + place) * (mostMs - leastMs);
    const dueAt = (last?.endedAt ?? arrivedAt) + thinkMs;
    await until(run, dueAt);
    if (signal.aborted) return { message };
    last = await endOf(run, step, user, dueAt, message === 202);
    if (step.send === 'sendMessage') message = last.outcome;
    if (signal.aborted) return { message };
    countStep(measurement, step.name, last, isWarmUp);
    if (classOf(last.outcome, step.send) !== 'ok') break;
    recall(step, user, last.body);
  }
  if (last !== undefined) {
    const atMs = arrivedAt - run.startAt;
    const latencyMs = last.endedAt - arrivedAt;
    // Several requests, and the time to think, have no service time.
    countStep(measurement, wholeFlow, { outcome: last.outcome, atMs, latencyMs, serviceMs: undefined }, isWarmUp);
  }
  return { message };
}

type Ended = EndedStep & {
  readonly body: readonly Uint8Array[];
  readonly endedAt: number;
};

/** The end of one step. While an earlier message of the user may still be answered, a busy chat is tried again. */
async function endOf(run: FlowRun, step: FlowStep, user: FlowUser, dueAt: number, mayBeBusy: boolean): Promise<Ended> {
  let scheduledAt = dueAt;
  for (let attempt = 0; ; attempt += 1) {
    const request = run.requestOf(step, user, attempt);
    if (request === undefined) throw new Error('a step that had something to send has nothing now');
    const { arrived, sentAt, endedAt } = await run.send(request, scheduledAt, user.index < 0);
    const { outcome, body, sent } = arrived;
    const isBusy = mayBeBusy && outcome === 409 && step.send === 'sendMessage';
    if (!isBusy || endedAt + retryMs > dueAt + run.patienceMs || run.signal.aborted)
      return {
        outcome,
        body,
        endedAt,
        atMs: dueAt - run.startAt,
        latencyMs: endedAt - dueAt,
        serviceMs: endedAt - sentAt,
        sent,
      };
    scheduledAt = endedAt + retryMs;
    await until(run, scheduledAt);
  }
}

/** Until that instant or the end of the run, and never earlier: a timer may wake a moment too early. */
export async function until({ clock, signal }: Pick<FlowRun, 'clock' | 'signal'>, at: number): Promise<void> {
  // The clock is read once for each wait: it goes on between two readings, and no timer takes a negative time.
  for (let leftMs = at - clock.now(); leftMs > 0 && !signal.aborted; leftMs = at - clock.now())
    await clock.sleep(leftMs);
}
