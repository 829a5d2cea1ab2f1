import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { sum } from '../../core/numbers.ts';
import type { Fact } from '../../reports/load/load-record.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { withWarmUp } from '../engine/open-engine.ts';
import { sendOne } from '../engine/send-one.ts';
import { openSockets } from '../engine/sockets.ts';
import { percent, some } from '../../reports/text/figures.ts';
import { latencyText } from '../judge/headline.ts';
import { mostMissingShare } from '../judge/judge-generator.ts';
import { countOf, type Measured, type MeasuredOperation, timesOf } from '../judge/measured.ts';
import { countStep, type Measurement } from '../measure/measurement.ts';
import { arrivalFields, peakOf, scheduleOf } from '../profile/arrival-fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { type Arrival, arrivals } from '../schedule/arrivals.ts';
import { createChatTurns, restAfter } from '../schedule/chat-turns.ts';
import { rateCurve } from '../schedule/rate-curve.ts';
import { beginRun, connectTimeoutMs } from './begin-run.ts';
import { parseRows, type Rows } from './flow/data-rows.ts';
import {
  type FlowLoad,
  type FlowStep,
  stepProblems,
  stepsField,
  stepsOf,
  thinkField,
  wholeFlow,
} from './flow/flow-steps.ts';
import { addSteps, type FlowRun, goThrough, until } from './flow/go-through.ts';
import { createStepRequests, identitiesOf } from './flow/step-request.ts';
import { type FieldProblem, loadKind, type ReadFile } from './load-kind.ts';

const schema = z.strictObject(
  {
    ...arrivalFields('users'),
    steps: stepsField,
    think: thinkField,
    data: z
      .string({ error: 'must be the path of a CSV or JSON file' })
      .regex(/\.(csv|json)$/i, { error: 'must be the path of a file that ends with .csv or .json' })
      .meta({
        allowed: 'the path of a CSV file with a header, or of a JSON file with a list of objects',
        description:
          'A path relative to the profile. Each user gets the next row, as `{row.column}`. Up to 10,000 rows and 1 MiB.',
      })
      .optional(),
  },
  { error: 'must hold a rate and steps, such as { rate: 2, steps: [{ name: open, send: listModels }] }' },
);

/** Users arrive at a given rate, even if the target is slow, and each goes through the same steps. Measures how long that takes. */
export const flowKind = loadKind<z.infer<typeof schema>, FlowLoad>({
  name: 'flow',
  example: 'flow',
  schema,
  sendsInstead: 'the steps of the flow',
  check: flowProblems,
  stepNames: ({ steps }) => [wholeFlow, ...steps.map(({ name }) => name)],
  hasOwnDuration: ({ stages }) => stages !== undefined,
  resolve: ({ steps, think, data, ...written }, totalMs, readFile) => ({
    ...scheduleOf(written, totalMs),
    steps: stepsOf(steps, think),
    rows: rowsOf(data, readFile),
  }),
  effects: ({ steps }) => (steps.some(isMessage) ? ['messages'] : []),
  curve: (load) => load,
  flow: (load) => load,
  plannedMs: ({ ratePerSecond, stages }) => rateCurve(ratePerSecond, stages).durationMs,
  besideMs: ({ steps }) => steps.reduce((sum, { think }) => sum + think.mostMs, 0),
  peakPerSecond: (load) => peakOf(load) * load.steps.length,
  describe({ ratePerSecond, stages, steps }, { warmUpMs }) {
    const users = Math.round(rateCurve(ratePerSecond, stages).total + (warmUpMs / 1000) * ratePerSecond);
    return `about ${users.toLocaleString('en')} users through ${steps.map(({ name }) => name).join(', ')}`;
  },
  headline(_load, measured) {
    const flows = flowsIn(measured);
    const times = timesOf(flows, 'latency');
    const dropped = sum(flows.map(([, measure]) => measure.dropped));
    const ended = `${countOf(flows, (kind) => kind === 'ok')} of ${countOf(flows, () => true)} flows were completed`;
    const done = dropped === 0 ? ended : `${ended}, and ${some(dropped, 'user')} found no idle chat`;
    return times.totalCount === 0 ? done : `a flow took ${latencyText(times)}, ${done}`;
  },
  run: runFlow,
});

function isMessage({ send }: Pick<FlowStep, 'send'>): boolean {
  return send === 'sendMessage';
}

/** A data file that cannot be read is a mistake at its name. What is wrong in it is at a line of its own. */
function flowProblems({ steps, data }: z.infer<typeof schema>, readFile: ReadFile): readonly FieldProblem[] {
  if (data === undefined) return stepProblems(steps, undefined);
  let text: string;
  try {
    text = readFile(data);
  } catch (error) {
    if (!(error instanceof TargetFileError)) throw error;
    const unread = error.problems.map(({ message }) => ({ path: ['data'], message: `is ${data}: ${message}` }));
    return [...unread, ...stepProblems(steps, 'unknown')];
  }
  return stepProblems(steps, Object.keys(parseRows(text, data)[0] ?? {}));
}

function rowsOf(data: string | undefined, readFile: ReadFile): Rows {
  return data === undefined ? [] : parseRows(readFile(data), data);
}

function flowsIn({ steps }: Pick<Measured, 'steps'>): readonly MeasuredOperation[] {
  const flow = steps.get(wholeFlow);
  return flow === undefined ? [] : [[flow.operation, flow]];
}

const headStartMs = 20;
/** A target that stops answering must not fill the memory of the generator. */
const mostUsers = 20_000;

async function runFlow(load: FlowLoad, profile: Profile, options: LoadOptions) {
  const { target, seed } = options;
  const { steps, rows } = load;
  const run = await beginRun(profile, options);
  const { measurement, listener, signal, runId } = run;
  const sockets = openSockets(target, load.sockets, connectTimeoutMs, options.rateCap);
  addSteps(measurement, steps);
  const startAt = performance.now() + headStartMs + profile.warmUpMs;
  run.begin(startAt);
  const swamped = new AbortController();
  const ended = AbortSignal.any([signal, swamped.signal]);
  // Before a request gives its socket to the next one.
  ended.addEventListener('abort', sockets.close);
  const sending = { sockets, measurement, startAt, listener, signal: ended };
  const flow: FlowRun = {
    ...createStepRequests({ steps, rows, target, timeoutMs: profile.timeoutMs, seed, runId }),
    steps,
    measurement,
    clock: clockUntil(ended),
    seed,
    startAt,
    signal: ended,
    patienceMs: target.assistant.timeoutSeconds * 1000,
    send: (request, scheduledAt, isWarmUp) => sendOne({ ...sending, isWarmUp }, request, scheduledAt),
  };
  const users = withWarmUp(profile.warmUpMs, load.ratePerSecond, arrivals(load, seed));
  await runUsers(users, startAt, flow, createUsers(load, options), swamped);
  const stats = sockets.stats();
  sockets.close();
  const ending = { kind: 'aborted', by: `${mostUsers.toLocaleString('en')} users were under way at once` } as const;
  const mustServe = [...new Set(steps.map(({ send }) => send))]; // also those whose steps were always skipped
  return run.end({
    sockets: stats,
    facts: factsOf(load, options, measurement),
    mustServe,
    ...(swamped.signal.aborted ? { ending } : {}),
  });
}

/** The clock of the engines; its sleepers wake when the run ends. */
function clockUntil(signal: AbortSignal): Clock {
  return { now: () => performance.now(), sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => {}) };
}

/** A user takes an identity; undefined if every chat is busy. */
type Users = (index: number) => { readonly through: (flow: FlowRun, arrivedAt: number) => Promise<void> } | undefined;

/** Users with a chat of their own where messages are sent, because a chat answers one message at a time. */
function createUsers({ steps }: FlowLoad, { target }: LoadOptions): Users {
  const writes = steps.some(isMessage);
  const identities = identitiesOf(target, writes);
  const turns = createChatTurns(
    identities.flatMap(({ chat }) => chat ?? []),
    () => performance.now(),
  );
  return (index) => {
    const chat = writes ? turns.take() : undefined;
    const identity = writes ? chat && { ...chat, chat } : identities[Math.abs(index) % identities.length];
    if (identity === undefined) return undefined;
    return {
      async through(flow, arrivedAt) {
        const { message } = await goThrough(flow, { ...identity, index, recalled: new Map() }, arrivedAt);
        if (chat !== undefined) turns.giveBack(chat, restAfter(message ?? 'unsent', target));
      },
    };
  };
}

/** Lets users arrive on their schedule, and resolves when the last one has left. Aborts `swamped` if there are too many at once. */
async function runUsers(
  schedule: Iterable<Arrival>,
  startAt: number,
  flow: FlowRun,
  users: Users,
  swamped: AbortController,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (const { index, atMs } of schedule) {
    await until(flow, startAt + atMs);
    if (flow.signal.aborted || underWay.size >= mostUsers) break;
    const user = users(index);
    if (user === undefined) {
      if (index >= 0) countStep(flow.measurement, wholeFlow, 'skipped');
      continue;
    }
    const way = user.through(flow, startAt + atMs).finally(() => underWay.delete(way));
    underWay.add(way);
  }
  if (underWay.size >= mostUsers) swamped.abort();
  await Promise.all(underWay);
}

/** There is no verdict if the target file declares no principal or chat to send with, or if more than a few users found no idle chat. */
function factsOf({ steps }: FlowLoad, { target }: LoadOptions, measurement: Measurement): readonly Fact[] {
  const writes = steps.some(isMessage);
  const problem = identitiesOf(target, writes).length > 0 ? turnedAway(measurement) : whyNoUsers(writes);
  return problem === undefined ? [] : [{ name: 'users', value: problem, verdict: 'unclear' }];
}

function whyNoUsers(writes: boolean): string {
  return writes
    ? 'none: no declared chat has an admin among the principals'
    : 'none: the target file declares no organization that a principal is adminOf';
}

function turnedAway({ steps }: Measurement): string | undefined {
  const { sent = 0, dropped = 0 } = steps.get(wholeFlow) ?? {};
  const share = dropped / Math.max(1, sent + dropped);
  if (share <= mostMissingShare) return undefined;
  return `${percent(share)} found no idle chat: declare more chats, or let fewer users arrive`;
}
