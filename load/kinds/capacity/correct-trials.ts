import { setTimeout as sleep } from 'node:timers/promises';
import { redactorOf } from '../../../core/redaction/redact.ts';
import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import type { Fact, LoadRecord } from '../../../reports/load/load-record.ts';
import { exchangeRecord } from '../../../reports/record/exchange-record.ts';
import { some } from '../../../reports/text/figures.ts';
import { requirement, type RequirementId } from '../../../spec/catalogue.ts';
import { digits } from '../../compare/render/words.ts';
import { sendOne } from '../../engine/send-one.ts';
import { openSockets } from '../../engine/sockets.ts';
import { createMeasurement } from '../../measure/measurement.ts';
import { isForbidden, type LoadOperation } from '../../profile/mix.ts';
import type { LoadOptions, Profile } from '../../profile/profile.ts';
import type { OpenSchedule } from '../../schedule/arrivals.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { connectTimeoutMs } from '../begin-run.ts';
import { runOpenLoad } from '../open.ts';
import { compareReads, usualLagMs } from './compare-reads.ts';
import { judgeFollowed } from './followed-message.ts';
import type { Break, Ended } from './judged.ts';
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
};

/** The requirements about several answers that a load shows, by what it sends. */
const judgedOf = {
  listModels: ['paging.walk'],
  listDataSources: ['paging.walk'],
  getBillingAccount: ['attach.count'],
  deleteDataSource: ['delete.gone-or-marked'],
  sendMessage: ['idempotency.while-generating', 'idempotency.after', 'conflict.refused'],
} as const satisfies Partial<Record<LoadOperation, readonly RequirementId[]>>;

/** Trials of a search up to `toPerSecond` in which sequences of requests are judged too, beside each answer by itself. */
export function correctTrials(
  profile: Pick<Profile, 'mix' | 'timeoutMs'>,
  options: LoadOptions,
  toPerSecond: number,
): CorrectTrials {
  const kept = new Map<string, Kept>();
  const brokenFrom = new Map<string, number>();
  const { target } = options;
  const { idempotencyHeader: keyHeader } = target;
  const sends = (operation: string) =>
    profile.mix.some((entry) => entry.operation === operation && !isForbidden(entry, target.allow));
  const pause = (ms: number) => sleep(ms, undefined, { signal: options.signal }).catch(() => {});
  const read = (request: LoadRequest) => readOnce(request, options);
  const deletions = watchDeletions({ ...profile, target, toPerSecond, read, sleep: pause });
  const reads = compareReads({ deletable: deletions.deletable, lagMs: usualLagMs, sleep: pause });

  async function run(schedule: OpenSchedule, trial: Profile, trialOptions: LoadOptions): Promise<JudgedTrial> {
    const { ratePerSecond } = schedule;
    const mix = await deletions.mixAt(ratePerSecond);
    let messages: RepeatedMessages | undefined;
    const record = await runOpenLoad(schedule, { ...trial, mix }, trialOptions, (plan) => {
      const now = () => performance.now();
      messages =
        keyHeader === undefined ? undefined : repeatMessages({ plan, keyHeader, seed: trialOptions.seed, now });
      return {
        at: (messages ?? plan).at,
        listener(...ended) {
          messages?.listener(...ended);
          reads.listener(...ended);
          deletions.listener(...ended);
        },
      };
    });
    if (options.signal.aborted) return { record, broke: [] };
    const judged = [
      await judgeFollowed(messages?.followed ?? [], target.limits),
      await reads.judge(read),
      await deletions.judge(),
    ];
    for (const [id, count] of judged.flatMap((one) => [...one.kept])) {
      const { times, ratePerSecond: highest } = kept.get(id) ?? { times: 0, ratePerSecond: 0 };
      kept.set(id, { times: times + count, ratePerSecond: Math.max(highest, ratePerSecond) });
    }
    const broke = [
      ...judged.flatMap(({ breaks }) => breaks).map((one) => brokeRecord(one, ratePerSecond, options)),
      ...record.violations.flatMap(({ rule, sentence, proofs }) =>
        proofs.slice(0, 1).map(({ expected, actual, exchange }): Broke => {
          const proof = { expected, actual, exchanges: [exchange] };
          return { requirement: rule, sentence, ratePerSecond, proof };
        }),
      ),
    ];
    for (const { requirement: id } of broke)
      brokenFrom.set(id, Math.min(ratePerSecond, brokenFrom.get(id) ?? Number.POSITIVE_INFINITY));
    return { record, broke };
  }

  function facts(): readonly Fact[] {
    const expected = Object.entries(judgedOf).flatMap(([operation, ids]) => (sends(operation) ? ids : []));
    return [...new Set([...expected, ...brokenFrom.keys()])].map((name) =>
      factOf(name, kept.get(name), brokenFrom.get(name)),
    );
  }

  return { run, facts };
}

type Kept = { readonly times: number; readonly ratePerSecond: number };

function factOf(name: string, kept: Kept | undefined, brokenFrom: number | undefined): Fact {
  const value = [
    ...(brokenFrom === undefined ? [] : [`broken first at ${digits(brokenFrom)}/s`]),
    ...(kept ? [`kept in ${some(kept.times, 'sequence')}, the fastest at ${digits(kept.ratePerSecond)}/s`] : []),
  ].join('; ');
  if (value === '') return { name, value: 'not judged: no sequence exercised it', verdict: 'unclear' };
  return brokenFrom === undefined ? { name, value, verdict: 'good' } : { name, value };
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
