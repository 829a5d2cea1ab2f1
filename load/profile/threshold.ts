import { nearestAlike } from '../../core/names/nearest.ts';
import { type LoadOperation, loadOperations } from './mix.ts';
import { parseDurationMs, parseShare } from './quantity.ts';

/** Points of a distribution that a threshold can be about. */
const points = ['p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'mean', 'max'] as const;
export type Point = (typeof points)[number];

/** Shares of all requests; `withheld` ones were dropped, because every chat was busy. */
const shares = ['errors', 'rateLimited', 'conflicts', 'timeouts', 'transport', 'withheld'] as const;
export type Share = (typeof shares)[number];

export type Measure =
  | {
      /** Latency counts from the scheduled instant, service time from the moment of sending. In milliseconds. */
      readonly kind: 'latency' | 'service';
      readonly point: Point;
    }
  | {
      /** A fraction of 1. */
      readonly kind: 'share';
      readonly of: Share;
    }
  | {
      /** Successful answers a second that arrived within the measured time. */
      readonly kind: 'throughput';
    }
  | {
      /** A count. */
      readonly kind: 'violations';
    };

const comparators = ['<', '<=', '>', '>=', '=='] as const;
type Comparator = (typeof comparators)[number];

/** What a run must satisfy, such as `listModels.latency.p99 < 250ms`. */
export type Threshold = {
  readonly text: string;
  /** Undefined for all operations together. */
  readonly operation: LoadOperation | undefined;
  /** The step of a flow that it is about; absent for all others. */
  readonly step?: string;
  readonly measure: Measure;
  readonly comparator: Comparator;
  /** In the unit of the measure. */
  readonly bound: number;
};

const form = 'must be a comparison, such as "listModels.latency.p99 < 250ms" or "errors.rate < 0.1%"';

/** A threshold, or what is wrong with the text, in words that continue its name: "must …". `steps` are those of a flow. */
export function parseThreshold(text: string, steps: readonly string[] = []): Threshold | { readonly problem: string } {
  const parts = /^\s*([A-Za-z0-9.]{1,80})\s*(<=|>=|==|<|>)\s*([^\s<>=][^<>=]{0,40}?)\s*$/.exec(text);
  const comparator = comparators.find((candidate) => candidate === parts?.[2]);
  if (parts === null || comparator === undefined) return { problem: form };
  const [, subject = '', , value = ''] = parts;
  const words = subject.split('.');
  const operation = loadOperations.find((candidate) => candidate === words[0]);
  const step = steps.find((candidate) => candidate === words[0]);
  const measure = parseMeasure((operation ?? step) === undefined ? words : words.slice(1));
  if (measure === undefined) return { problem: unknownMeasure(subject, [...steps, ...loadOperations]) };
  const bound = parseBound(measure, value);
  if (bound === undefined) return { problem: `must end with ${unitOf(measure)}, not with "${value}"` };
  return { text: text.trim(), operation, ...(step !== undefined && { step }), measure, comparator, bound };
}

/** Whether a value satisfies the threshold. */
export function isMet({ comparator, bound }: Pick<Threshold, 'comparator' | 'bound'>, value: number): boolean {
  switch (comparator) {
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
    case '==':
      return value === bound;
  }
}

function parseMeasure([name, detail, ...more]: readonly string[]): Measure | undefined {
  if (more.length > 0) return undefined;
  if (name === 'throughput' || name === 'violations') return detail === undefined ? { kind: name } : undefined;
  if (name === 'latency' || name === 'service') {
    const point = points.find((candidate) => candidate === detail);
    return point === undefined ? undefined : { kind: name, point };
  }
  const of = shares.find((candidate) => candidate === name);
  return of === undefined || detail !== 'rate' ? undefined : { kind: 'share', of };
}

function parseBound(measure: Measure, value: string): number | undefined {
  switch (measure.kind) {
    case 'latency':
    case 'service':
      return parseDurationMs(value);
    case 'share':
      return parseShare(value);
    case 'throughput':
      return /^\d+(\.\d+)?\/s$/.test(value) ? Number(value.slice(0, -2)) : undefined;
    case 'violations':
      return /^\d+$/.test(value) ? Number(value) : undefined;
  }
}

function unitOf(measure: Measure): string {
  switch (measure.kind) {
    case 'latency':
    case 'service':
      return 'a time such as 250ms';
    case 'share':
      return 'a share such as 0.1%';
    case 'throughput':
      return 'a rate such as 500/s';
    case 'violations':
      return 'a whole number';
  }
}

export const measureNames: readonly string[] = [
  ...['latency', 'service'].flatMap((kind) => points.map((point) => `${kind}.${point}`)),
  ...shares.map((of) => `${of}.rate`),
  'throughput',
  'violations',
];

function unknownMeasure(subject: string, names: readonly string[]): string {
  const likely = nearestAlike(subject, measureNames) ?? nearestOf(subject, names);
  const advice = likely === undefined ? `known: ${knownFor(subject, names)}` : `did you mean ${likely}?`;
  return `measures "${subject}", which does not exist; ${advice}`;
}

/** What a subject with a name in front most likely means; undefined if either part is like nothing known. */
function nearestOf(subject: string, names: readonly string[]): string | undefined {
  const { name, rest } = partsOf(subject);
  const likely = nearestAlike(name, names);
  const measure = nearestAlike(rest, measureNames);
  return likely === undefined || measure === undefined ? undefined : `${likely}.${measure}`;
}

/** The names of operations and steps if only the name is wrong; otherwise some measures. */
function knownFor(subject: string, names: readonly string[]): string {
  return measureNames.includes(partsOf(subject).rest)
    ? names.join(', ')
    : 'latency.p99, service.p99, errors.rate, rateLimited.rate, throughput, violations, and more';
}

/** The name of an operation or a step, and what is measured of it. */
function partsOf(subject: string): { readonly name: string; readonly rest: string } {
  const [name = '', ...rest] = subject.split('.');
  return { name, rest: rest.join('.') };
}
