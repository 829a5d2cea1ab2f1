import type { LoadRecord } from '../../reports/load/load-record.ts';
import { duration, percent } from '../../reports/text/figures.ts';
import type { GeneratorUse } from '../measure/generator-watch.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';
import type { SocketStats } from '../engine/sockets.ts';
import type { Point } from '../profile/threshold.ts';

export type GeneratorFacts = {
  readonly isThroughputOnly: boolean;
  /** Precise pacing keeps the event loop busy all the time, which is no sign of distress. */
  readonly pacing: 'timer' | 'precise';
  readonly lag: TimeHistogram;
  /** Of successes and timeouts. */
  readonly latency: TimeHistogram;
  readonly use: GeneratorUse;
  /** The cores of the machine. */
  readonly cores: number;
  readonly sockets: SocketStats;
  readonly sent: number;
  /** Requests that were dropped because of the limit of the target file. */
  readonly capped: number;
  /** Why a load without a schedule was as fast as the limit of the target file; undefined if it was not. */
  readonly heldBackBecause?: string | undefined;
  /** Connections that closed without notice. */
  readonly closes: number;
};

type Verdict = LoadRecord['generator']['verdict'];

/** What may leave a load without a verdict, other than the target. */
export type Cause = Exclude<Verdict, 'fit'>;

export type GeneratorJudgement = {
  readonly verdict: Verdict;
  /** What the sentence of the load names; none if it was fit. */
  readonly causes: readonly Cause[];
  /** Why it was not fit, and what to do. */
  readonly reasons: readonly string[];
  /** Whether so many requests waited for a socket that their latency is as much the generator's as the target's. */
  readonly isShortOfSockets: boolean;
  readonly isLatencyValid: boolean;
  /** Whether the target got the load that the profile asks for. */
  readonly isWholeLoad: boolean;
  /** How late answers were read, in milliseconds, if the event loop was too busy; otherwise 0. */
  readonly loopDelayMs: number;
  readonly notes: readonly string[];
};

const mostUtilization = 0.95;
const mostWaitedShare = 0.01;

/** Whether the figures describe the target, or delays of the generator itself. */
export function judgeGenerator(facts: GeneratorFacts): GeneratorJudgement {
  const { isThroughputOnly, pacing, lag, latency, use, sockets, sent, closes, heldBackBecause } = facts;
  const ofCap = capReasons(facts);
  const ofLimit = [...ofCap, ...(heldBackBecause === undefined ? [] : [heldBackBecause])];
  const isBusy = isLoopBusy(use) && pacing === 'timer';
  const ofSpeed = [...lagReasons(lag, latency), ...(isBusy ? [busyReason(use)] : [])];
  const reasons = [...ofSpeed, ...(ofSpeed.length === 0 ? [] : [advice(facts)]), ...ofLimit];
  const causes = causesOf({ bottleneck: ofSpeed, 'held-back': ofLimit });
  const isShortOfSockets = sockets.waited > mostWaitedShare * Math.max(1, sent);
  const notes: string[] = [];
  if (isShortOfSockets) {
    notes.push(
      `${sockets.waited} requests waited for one of ${sockets.cap} sockets; their wait is part of the latencies. More sockets may change them.`,
    );
  }
  const isLatencyValid = closes === 0;
  if (!isLatencyValid && isThroughputOnly) {
    notes.push(`${closes} connections closed without notice: the latencies of this closed load are not valid.`);
  }
  return {
    verdict: causes[0] ?? 'fit',
    causes,
    reasons,
    isShortOfSockets,
    isLatencyValid,
    isWholeLoad: ofCap.length === 0,
    loopDelayMs: isBusy ? use.eventLoopDelayP99Ms : 0,
    notes,
  };
}

/** A load that was not the one of the profile first: a faster generator would not help it. */
export function causesOf(reasons: { readonly [cause in Cause]?: readonly string[] }): readonly Cause[] {
  return (['apart', 'held-back', 'bottleneck'] as const).filter((cause) => (reasons[cause] ?? []).length > 0);
}

function busyReason({ eventLoopUtilization }: GeneratorUse): string {
  return `its event loop was busy ${percent(eventLoopUtilization)} of the time: the target may be able to handle more`;
}

/** A share of the processor that a host takes without harm. */
const leastStolenShare = 0.05;
const mostMachineShare = 0.9;
/** Shorter pauses make no request late enough to matter. */
const leastThrottledMs = 10;

/** What made the generator too slow, as far as its machine shows it, and what to do. */
function advice({ use, cores }: GeneratorFacts): string {
  const { throttledMs = 0, stolenShare = 0, machineShare, processCores } = use;
  if (throttledMs >= leastThrottledMs)
    return `the limit of its container held it back for ${duration(throttledMs)}: raise that limit`;
  if (stolenShare > leastStolenShare)
    return `its host gave ${percent(stolenShare)} of the processor to other virtual machines: use another host`;
  const ownShare = processCores / cores;
  if (machineShare > mostMachineShare && ownShare < machineShare / 2)
    return `its machine was ${percent(machineShare)} busy, and this process took only ${percent(ownShare)}: use a machine with nothing else to do`;
  return 'send less, use a faster machine, or divide the load over several';
}

/** Whether the event loop had no room left. Precise pacing keeps it busy on purpose. */
export function isLoopBusy({ eventLoopUtilization }: Pick<GeneratorUse, 'eventLoopUtilization'>): boolean {
  return eventLoopUtilization > mostUtilization;
}

/** Without more than this share of its requests or users, a load is no longer the one that was asked for. */
export const mostMissingShare = 0.05;

/** Why the target got less load than the profile asks for. */
export function capReasons({ sent, capped }: Pick<GeneratorFacts, 'sent' | 'capped'>): readonly string[] {
  const share = capped / Math.max(1, sent + capped);
  if (share <= mostMissingShare) return [];
  return [
    `${Math.round(share * 100)}% of the requests were dropped, because they would have exceeded limits.maxRequestsPerSecond of the target file: raise it, or send less`,
  ];
}

/** Less lag than this does not matter, in milliseconds. Two late requests decide the highest percentile of fewer than 100. */
const leastLagMs = { p50: 2, p99: 10, p95: 50, p90: 50, p75: 50 } as const;
/** Lag matters above this share of the latency that it distorts. */
const mostLagShare = 0.1;

/** Why the latencies are the generator's own: requests left so late that it shows in them. Few requests have no p99. */
export function lagReasons(lag: TimeHistogram, latency: TimeHistogram): readonly string[] {
  const isShown = (point: Point) => lag.totalCount >= leastCount(point);
  const latest = (['p99', 'p95', 'p90', 'p75'] as const).find(isShown);
  return (['p50', ...(latest === undefined ? [] : [latest])] as const).flatMap((point) => {
    const lagMs = pointOf(lag, point);
    const distorts = lagMs > mostLagShare * pointOf(latency, point);
    if (!isShown(point) || lagMs <= leastLagMs[point] || !distorts) return [];
    return [`requests left ${lagMs.toFixed(1)} ms late (${point}), which is over a tenth of the measured latency`];
  });
}
