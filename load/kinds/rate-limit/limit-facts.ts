import type { Fact } from '../../../reports/load/load-record.ts';
import { count, percent } from '../../../reports/text/figures.ts';
import type { Estimate, LimitEstimate } from './limit-estimate.ts';
import type { Honesty, Lie } from './judge-honesty.ts';
import { roundingOf } from '../../../core/implied-resets.ts';
import { type LimitSample, statingWait } from './limit-sample.ts';

const alternating = 'a request is accepted before the stated reset, and later ones are refused until that reset';

/** What does that: see alternates. */
const likelyCauses = 'nodes may count apart, or one counter states the end of a fixed period';

/** A limit as facts for the report. */
export function limitFacts({ quota, windowMs, kind }: LimitEstimate, windows: number): readonly Fact[] {
  const range = (low: string, high: string) => (low === high ? '' : ` (${low} to ${high})`);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const notMeasured =
    kind === 'alternating'
      ? 'not measured: what was accepted early fits no single window'
      : 'no complete window was observed';
  return [
    {
      name: 'quota',
      value:
        quota === undefined
          ? notMeasured
          : `${quota.value} requests${range(String(quota.low), String(quota.high))}, ${windows} windows`,
      ...(quota === undefined ? {} : { figure: { text: count(quota.value), unit: 'requests' } }),
    },
    {
      name: 'window',
      value:
        windowMs === undefined
          ? notMeasured
          : `${seconds(windowMs.value)}${range(seconds(windowMs.low), seconds(windowMs.high))}`,
      ...(windowMs === undefined ? {} : { figure: { text: briefRange(windowMs), unit: 's' } }),
    },
    kind === 'alternating'
      ? { name: 'limiter', value: `${alternating}: ${likelyCauses}`, verdict: 'unclear' }
      : { name: 'limiter', value: kind },
  ];
}

export function honestyFacts(honesty: Honesty): readonly Fact[] {
  const { verdict, lie, toleratedMs, judged, contradicting, spreadMs, acceptedAfter, refusedAfter } = honesty;
  const waited = acceptedAfter + refusedAfter;
  return [
    {
      name: 'retryAfterMs',
      value:
        verdict === 'dishonest'
          ? describeLie(lie)
          : verdict === 'honest'
            ? `accurate, to within ${toleratedMs.toFixed(0)} ms`
            : describeDoubt(honesty),
      verdict: { honest: 'good' as const, dishonest: 'bad' as const, unclear: 'unclear' as const }[verdict],
      figure: { text: { honest: 'honest', dishonest: 'wrong', unclear: '?' }[verdict], unit: '' },
    },
    {
      name: 'all refusals mean one reset',
      value: `in ${judged - contradicting} of ${judged} windows; they differ by ${spreadMs.toFixed(0)} ms at most`,
    },
    ...(waited === 0
      ? []
      : [
          {
            name: 'accepted after waiting retryAfterMs',
            value: `a single client, in ${acceptedAfter} of ${waited} windows in which it waited`,
          },
        ]),
  ];
}

/** The limit in a few words, without figures where it is of no known kind; undefined if nothing is known of it. */
export function limitHeadline({ quota, windowMs, kind }: LimitEstimate, honesty: Honesty): string | undefined {
  const wait = waitText(honesty);
  if (kind === 'alternating') return `${alternating}; ${wait}`;
  if (quota === undefined || windowMs === undefined) return undefined;
  if (kind === 'unclear') return `the kind of limit is unclear, ${wait}`;
  return `${count(quota.value)} per ${briefRange(windowMs)} s, ${wait}`;
}

function waitText(honesty: Honesty): string {
  const { verdict, lie } = honesty;
  switch (verdict) {
    case 'honest':
      return 'retryAfterMs is honest';
    case 'dishonest':
      return `retryAfterMs is ${describeLie(lie)}`;
    case 'unclear':
      return `retryAfterMs is not judged: ${describeDoubt(honesty)}`;
  }
}

/** From this ratio of its bounds on, a window is given by both. */
const wide = 1.5;

function briefRange({ value, low, high }: Estimate): string {
  return high > wide * low ? `${briefSeconds(low)} to ${briefSeconds(high)}` : briefSeconds(value);
}

function briefSeconds(ms: number): string {
  return String(Number((ms / 1000).toPrecision(2)));
}

function describeDoubt({ doubt, toleratedMs, early }: Honesty): string {
  switch (doubt) {
    case 'gradual':
      return `in ${early.windows} of ${early.of} windows a request is accepted early, after ${percent(early.share)} of the stated wait`;
    case 'unstated':
      return 'no refusal states a usable wait';
    case 'coarse':
      return `the waits are too short for a tolerance of ${toleratedMs.toFixed(0)} ms`;
    default:
      return 'too few refusals';
  }
}

function describeLie(lie: Lie): string {
  switch (lie.kind) {
    case 'none':
      return 'inaccurate';
    case 'seconds':
      return 'in seconds, not in milliseconds';
    case 'early':
      return `${lie.byMs.toFixed(0)} ms before the window is over`;
    case 'late':
      return `at least ${lie.byMs.toFixed(0)} ms after the window is over`;
    case 'rising':
      return 'counting up instead of down';
    case 'constant':
      return `always ${lie.retryAfterMs.toFixed(0)}, whatever is left of the window`;
    case 'scaled':
      return `${lie.factor.toFixed(2)} times the actual wait`;
    case 'scattered':
      return `scattered: the stated resets of one window differ by up to ${lie.spreadMs.toFixed(0)} ms`;
  }
}

/** The result when all clients wait until `from`: are clients that resume together refused again? */
export function obedienceFact(samples: readonly LimitSample[], from: number, clients: number): Fact {
  const firsts = samples.filter(({ sentAt }) => sentAt >= from).slice(0, clients);
  const refused = firsts.filter(({ kind }) => kind === 'limited').length;
  const value =
    refused === 0
      ? `${clients} clients resume together and all are accepted`
      : `${clients} clients resume together, and ${refused} are refused again`;
  return { name: 'when all clients wait', value };
}

/** The result when no client waits: does the limiter move the reset away? */
export function insistenceFact(samples: readonly LimitSample[]): Fact {
  const limited = samples.filter((sample) => sample.kind === 'limited');
  const implied = limited.flatMap(({ receivedAt, retryAfterMs }) =>
    retryAfterMs === undefined ? [] : [receivedAt + retryAfterMs],
  );
  const movedMs = implied.length < 2 ? 0 : (implied.at(-1) ?? 0) - (implied[0] ?? 0);
  const leastMs = 50 + roundingOf(statingWait(limited));
  const moved =
    movedMs > leastMs
      ? `the promised reset moved ${movedMs.toFixed(0)} ms away`
      : 'the promised reset stayed where it was';
  return { name: 'when clients do not wait', value: `${limited.length} of ${samples.length} refused, and ${moved}` };
}
