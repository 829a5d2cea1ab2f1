import { setTimeout as sleep } from 'node:timers/promises';
import { redactorOf } from '../../../core/redaction/redact.ts';
import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import type { Fact, LoadRecord } from '../../../reports/load/load-record.ts';
import { exchangeRecord } from '../../../reports/record/exchange-record.ts';
import { requirement } from '../../../spec/catalogue.ts';
import { sendOne } from '../../engine/send-one.ts';
import { openSockets } from '../../engine/sockets.ts';
import { createMeasurement } from '../../measure/measurement.ts';
import { isForbidden } from '../../profile/mix.ts';
import type { LoadOptions, Profile } from '../../profile/profile.ts';
import type { OpenSchedule } from '../../schedule/arrivals.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { connectTimeoutMs } from '../begin-run.ts';
import { runOpenLoad } from '../open.ts';
import { carryMessages } from './carry-messages.ts';
import { compareReads, usualLagMs } from './compare-reads.ts';
import { judgeFollowed } from './followed-message.ts';
import type { Break, Ended } from './judged.ts';
import type { KeptAt } from './judged-rates.ts';
import { createKeptRates } from './kept-rates.ts';
import { lastLooks } from './last-looks.ts';
import { type RepeatedMessages, repeatMessages } from './repeat-messages.ts';
import { watchDeletions } from './watch-deletions.ts';

/** A requirement that broke at some rate, and the proof. */
export type Broke = NonNullable<CapacityRecord['broke']>;

export type JudgedTrial = { readonly record: LoadRecord; readonly broke: readonly Broke[] };

export type CorrectTrials = {
  /** Runs a trial and returns its record, and the requirements that broke in it. */
  readonly run: (schedule: OpenSchedule, profile: Profile, options: LoadOptions) => Promise<JudgedTrial>;
  /** Which requirements about several answers were kept, and up to which rate. */
  readonly facts: () => readonly Fact[];
  /** The same for each of them that the trials so far exercised. */
  readonly keptAt: () => readonly KeptAt[];
};

/** After a trial, no response is waited for longer, in milliseconds. */
const mostLookedMs = 30_000;

/** Trials of a search up to `toPerSecond` in which sequences of requests are judged too, beside each answer by itself. */
export function correctTrials(
  profile: Pick<Profile, 'mix' | 'timeoutMs'>,
  options: LoadOptions,
  toPerSecond: number,
): CorrectTrials {
  const { target } = options;
  const { idempotencyHeader: keyHeader } = target;
  // Without a key, a message cannot be repeated.
  const exercises = (operation: string) =>
    (operation !== 'sendMessage' || keyHeader !== undefined) &&
    profile.mix.some((entry) => entry.operation === operation && !isForbidden(entry, target.allow));
  const rates = createKeptRates(exercises);
  const pause = (ms: number) => sleep(ms, undefined, { signal: options.signal }).catch(() => {});
  const read = (request: LoadRequest) => readOnce(request, options);
  const deletions = watchDeletions({ ...profile, target, toPerSecond, read, sleep: pause });
  const reads = compareReads({ deletable: deletions.deletable, lagMs: usualLagMs, sleep: pause });
  const now = () => performance.now();
  const mostMs = 1000 * target.assistant.timeoutSeconds;
  const carried = carryMessages({ now, mostMs });
  const look = lastLooks({ read, sleep: pause, now, mostMs: Math.min(mostMs, mostLookedMs), signal: options.signal });

  async function run(schedule: OpenSchedule, trial: Profile, trialOptions: LoadOptions): Promise<JudgedTrial> {
    const { ratePerSecond } = schedule;
    const mix = await deletions.mixAt(ratePerSecond);
    let messages: RepeatedMessages | undefined;
    const record = await runOpenLoad(schedule, { ...trial, mix }, trialOptions, (plan) => {
      messages =
        keyHeader === undefined
          ? undefined
          : repeatMessages({ plan, keyHeader, seed: trialOptions.seed, earlier: carried.to(ratePerSecond), now });
      return {
        at: (messages ?? plan).at,
        listener(...ended) {
          messages?.listener(...ended);
          reads.listener(...ended);
          deletions.listener(...ended);
        },
      };
    });
    carried.from(ratePerSecond, messages?.unfinished() ?? []);
    await look(messages?.followed ?? []);
    if (options.signal.aborted) return { record, broke: [] };
    const judged = [
      await judgeFollowed(messages?.followed ?? [], target.limits),
      await reads.judge(read),
      await deletions.judge(),
    ];
    const broke = [
      ...judged.flatMap(({ breaks }) => breaks).map((one) => brokeRecord(one, ratePerSecond, options)),
      ...record.violations.flatMap(({ rule, sentence, proofs }) =>
        proofs.slice(0, 1).map(({ expected, actual, exchange }): Broke => {
          const proof = { expected, actual, exchanges: [exchange] };
          return { requirement: rule, sentence, ratePerSecond, proof };
        }),
      ),
    ];
    rates.add({
      ratePerSecond,
      operations: record.operations,
      kept: judged.map(({ kept }) => kept),
      broke: broke.map(({ requirement: id }) => id),
    });
    return { record, broke };
  }

  return { run, facts: rates.facts, keptAt: rates.keptAt };
}

function brokeRecord(one: Break, ratePerSecond: number, { target }: LoadOptions): Broke {
  const redactor = redactorOf(target);
  return {
    requirement: one.requirement,
    sentence: requirement(one.requirement).sentence,
    ratePerSecond,
    proof: {
      expected: redactor.text(one.expected),
      actual: redactor.text(one.actual),
      exchanges: one.exchanges.slice(0, 5).map((exchange) => exchangeRecord(exchange, target, redactor)),
    },
  };
}

/** Sends a request of the load when the load is over; it counts nowhere. */
async function readOnce(request: LoadRequest, { target, rateCap, signal }: LoadOptions): Promise<Ended> {
  const sockets = openSockets(target, 1, connectTimeoutMs, rateCap);
  const sending = { sockets, measurement: createMeasurement(0), startAt: 0, listener: () => {}, signal };
  const sent = await sendOne(sending, request);
  sockets.close();
  return { request, ...sent };
}
