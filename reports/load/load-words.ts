import { shown } from '../../core/text.ts';
import { duration, latencyFigure, percent, rateFigure, some } from '../text/figures.ts';
import type { Tone } from '../text/tones.ts';
import type { GeneratorEnvironment } from './generator-record.ts';
import { sharesOfPoints } from './distribution-record.ts';
import { isMeaningful } from './latencies.ts';
import {
  type Fact,
  type LoadOperationRecord,
  type LoadOutcomeRecord,
  type LoadRecord,
  type LoadStepRecord,
  type LoadThresholdRecord,
  type OutcomeClass,
  type PhaseName,
  phaseNames,
} from './load-record.ts';

/** How a value of load.json reads in a report. The file says `held` and `missed`, the reports say passed and failed. */
export type Reading = { readonly word: string; readonly tone: Tone };

export const resultReadings: Readonly<Record<LoadRecord['result'], Reading>> = {
  held: { word: 'Passed', tone: 'good' },
  missed: { word: 'Failed', tone: 'bad' },
  unjudged: { word: 'No verdict', tone: 'doubtful' },
  aborted: { word: 'Aborted', tone: 'bad' },
  interrupted: { word: 'Interrupted', tone: 'idle' },
};

export const thresholdReadings: Readonly<Record<LoadThresholdRecord['verdict'], Reading>> = {
  held: { word: 'passed', tone: 'good' },
  missed: { word: 'failed', tone: 'bad' },
  unjudged: { word: 'not judged', tone: 'doubtful' },
};

export const factReadings: Readonly<Record<NonNullable<Fact['verdict']>, Reading>> = {
  good: { word: 'good', tone: 'good' },
  bad: { word: 'bad', tone: 'bad' },
  unclear: { word: 'unclear', tone: 'doubtful' },
};

export const outcomeReadings: Readonly<Record<OutcomeClass, Reading>> = {
  ok: { word: 'succeeded', tone: 'good' },
  rateLimited: { word: 'rate limited (429)', tone: 'doubtful' },
  conflict: { word: 'busy or already done (4xx)', tone: 'doubtful' },
  refused: { word: 'refused (4xx)', tone: 'bad' },
  failed: { word: 'failed (5xx)', tone: 'bad' },
  timeout: { word: 'timed out', tone: 'bad' },
  transport: { word: 'connection failed', tone: 'bad' },
};

export const generatorReadings: Readonly<Record<LoadRecord['generator']['verdict'], Reading>> = {
  fit: { word: 'fast enough', tone: 'good' },
  bottleneck: { word: 'the bottleneck', tone: 'doubtful' },
  'held-back': { word: 'held back by the limit of the target file', tone: 'doubtful' },
  apart: { word: 'divided into parts that did not start together', tone: 'doubtful' },
};

/** The status of the rows about requests that were not sent, beside the classes of outcomes. */
export const droppedStatus = 'dropped';
export const droppedReading: Reading = { word: 'dropped', tone: 'doubtful' };

/** Requests of an operation that were scheduled and not sent, and why; without zeros. */
export function droppedRequests({
  withheld,
  capped,
}: Pick<LoadOperationRecord, 'withheld' | 'capped'>): readonly { readonly requests: number; readonly why: string }[] {
  return [
    { requests: withheld, why: 'no chat was idle' },
    { requests: capped, why: 'limits.maxRequestsPerSecond' },
  ].filter(({ requests }) => requests > 0);
}

/** Steps that sent nothing, and flows that did not begin; without zeros. */
export function skippedSteps({ withheld, name }: LoadStepRecord): ReturnType<typeof droppedRequests> {
  const why = name === 'flow' ? 'no chat was idle' : 'nothing to send';
  return [{ requests: withheld, why }].filter(({ requests }) => requests > 0);
}

const phaseWords: Readonly<Record<PhaseName, string>> = {
  dns: 'DNS lookup',
  connect: 'connect',
  tls: 'TLS handshake',
  firstByte: 'until the first byte',
  receive: 'receive the rest',
};

/** What is known of where the time went: a row for each phase, with its count and latencies. */
export function phaseRows({ phases }: Pick<LoadRecord, 'phases'>): readonly (readonly [string, ...string[]])[] {
  return phaseNames.flatMap((name): (readonly [string, ...string[]])[] => {
    const phase = phases[name];
    return phase === undefined ? [] : [[phaseWords[name], String(phase.count), ...latencyFigures(phase)]];
  });
}

/** Why there are no phases, where a reader may look for them. */
export function whyNoPhases({ profile, operations }: Pick<LoadRecord, 'profile' | 'operations'>): string | undefined {
  return profile.kind === 'closed' && operations.length > 0
    ? 'A closed load measures only throughput, so it does not divide the time of a request into phases.'
    : undefined;
}

/** The answers that violate a requirement, and what is wrong with them if one answer has several findings. */
export function violationAmount({ operation, count, findings }: LoadRecord['violations'][number]): string {
  const answers = `${some(count, 'answer')} of ${operation}`;
  return findings > count ? `${answers} (${some(findings, 'finding')})` : answers;
}

/** The measured value in the unit of its threshold; a dash where nothing was measured. */
export function thresholdAmount({ text, actual }: LoadThresholdRecord): string {
  if (actual === undefined) return '–';
  if (text.endsWith('%')) return percent(actual, actual < 0.1 ? 2 : 1);
  if (text.endsWith('/s')) return `${rateFigure(actual)}/s`;
  return /(?:latency|service)\./.test(text) ? `${latencyFigure(actual)} ms` : String(actual);
}

/** The latencies of an outcome as the tables of all formats show them: a dash where there are too few for a percentile. */
export function latencyFigures(times: LoadOutcomeRecord['latency']): readonly string[] {
  return (['p50', 'p95', 'p99', 'max'] as const).map((point) => pointFigure(times, point));
}

/** One of these figures. */
export function pointFigure(times: LoadOutcomeRecord['latency'], point: keyof typeof sharesOfPoints): string {
  return latencyFigure(isMeaningful(times, sharesOfPoints[point]) ? times[point] : undefined);
}

/** The machine and the runtime that generated the load, in one line. */
export function environmentText(environment: GeneratorEnvironment): string {
  const { cores, model, memoryMb, kernel, runtime, containerCores, containerMemoryMb } = environment;
  const limits = [
    ...(containerCores === undefined ? [] : [`${containerCores} cores`]),
    ...(containerMemoryMb === undefined ? [] : [`${containerMemoryMb} MB`]),
  ];
  return [
    `${some(cores, 'core')} of ${shown(model, 80)}`,
    `${memoryMb} MB`,
    shown(kernel, 80),
    shown(runtime, 40),
    ...(limits.length === 0 ? [] : [`container limited to ${limits.join(', ')}`]),
  ].join(' · ');
}

/** The lag as charts and pages show it. */
export function lagText(lag: NonNullable<LoadRecord['generator']['lag']>): string {
  return `p50 ${pointFigure(lag, 'p50')}, p99 ${pointFigure(lag, 'p99')}, max ${pointFigure(lag, 'max')} ms`;
}

/** Of fewer than a hundred requests, a p99 is the largest. */
function lagFigures(lag: NonNullable<LoadRecord['generator']['lag']>): string {
  const latest = isMeaningful(lag, 0.99) ? `p99 ${latencyFigure(lag.p99)}` : `max ${latencyFigure(lag.max)}`;
  return `lag p50 ${latencyFigure(lag.p50)} ${latest} ms`;
}

/** The generator's own figures in one line. */
export function generatorFigures({ generator, offeredPerSecond, throughputPerSecond }: LoadRecord): string {
  const { lag, processCores, eventLoopUtilization, sockets, memoryMb, throttledMs = 0, stolenShare = 0 } = generator;
  const parts = [
    ...(offeredPerSecond === undefined ? [] : [`offered ${rateFigure(offeredPerSecond)}/s`]),
    `succeeded ${rateFigure(throughputPerSecond)}/s`,
    ...(lag === undefined ? [] : [lagFigures(lag)]),
    `event loop ${percent(eventLoopUtilization)} busy`,
    `${processCores.toFixed(2)} cores`,
    `sockets ${sockets.peak} of ${sockets.cap}`,
    `${Math.round(memoryMb)} MB`,
    ...(throttledMs > 0 ? [`throttled for ${duration(throttledMs)}`] : []),
    ...(stolenShare >= 0.005 ? [`${percent(stolenShare)} taken by the host`] : []),
  ];
  return parts.join(' · ');
}
