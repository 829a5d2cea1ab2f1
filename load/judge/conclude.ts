import type { Fact, LoadRecord, LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { count, some } from '../../reports/text/figures.ts';
import { listed } from '../../reports/text/some-of.ts';
import type { Threshold } from '../profile/threshold.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Cause } from './judge-generator.ts';
import { judgeThresholds } from './judge-thresholds.ts';
import { type Measured, throughputOf } from './measured.ts';
import { rateLimitedText } from './rate-limited.ts';
import type { Shard } from '../schedule/arrivals.ts';
import { type Unserved, unservedOperations, unservedReason } from './unserved.ts';

/** How a run ended, before anything is judged. */
export type Ending =
  | { readonly kind: 'completed' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'aborted';
      /** The condition that came true. */
      readonly by: string;
    };

export type Conclusion = Pick<LoadRecord, 'result' | 'endedBy' | 'sentence' | 'throughputPerSecond'> & {
  readonly thresholds: LoadThresholdRecord[];
  readonly unserved: LoadRecord['unserved'];
};

export type Evidence = {
  readonly measured: Measured;
  readonly ending: Ending;
  /** Why the figures may not be those of the target under the load of the profile. */
  readonly causes: readonly Cause[];
  readonly facts: readonly Fact[];
  /** Operations of which a request must succeed; all that were scheduled, unless refusals are expected of some. */
  readonly mustServe?: readonly Operation[] | undefined;
  /** Whether the load looks for the rate limit, so that a 429 is no surprise. */
  readonly expects429?: boolean;
  /** One part of a divided load has no verdict: its thresholds are those of the whole. */
  readonly shard?: Shard;
};

/** The thresholds of a run, and how to sum up its speed. */
export type Asked = {
  readonly thresholds: readonly Threshold[];
  readonly headline: (measured: Measured) => string;
};

/** The conclusion of a run: each threshold, the result, and one sentence that says how fast and how correct it was. */
export function conclude({ thresholds: asked, headline }: Asked, evidence: Evidence): Conclusion {
  const { measured, ending } = evidence;
  const part = partOf(evidence);
  const thresholds = part === undefined ? judgeThresholds(asked, measured) : [];
  const unserved = unservedOperations(measured.operations, evidence.mustServe);
  const isViolated =
    evidence.facts.some(({ verdict }) => verdict === 'bad') ||
    asked.some(({ measure }, place) => measure.kind === 'violations' && thresholds[place]?.verdict === 'missed');
  const result = resultOf(evidence, { thresholds, unserved, isViolated });
  const failed = [
    ...thresholds.filter(({ verdict }) => verdict === 'missed').map(({ text }) => text),
    ...evidence.facts.filter(({ verdict }) => verdict === 'bad').map(({ name }) => name),
  ];
  const reasons = {
    failed: failed.length === 0 ? undefined : listed([...new Set(failed)], mostNamed),
    unserved: unserved.length === 0 ? undefined : unservedReason(unserved),
    unjudged: thresholds.filter(({ verdict }) => verdict === 'unjudged').map(({ text }) => text),
    spoiltBy: isSpoilt(evidence, thresholds) ? evidence.causes : [],
  };
  const prefix =
    part === undefined
      ? (earlyPrefix(ending, reasons) ?? prefixOf(result, reasons) ?? notePrefix(evidence, asked.length))
      : `Part ${part.index} of ${part.of}: ${earlyPrefix(ending, {}) ?? ''}`;
  const limited = evidence.expects429 === true ? undefined : rateLimitedText(measured.operations);
  return {
    thresholds: [...thresholds],
    throughputPerSecond: throughputOf(measured),
    unserved: unserved.map(({ operation }) => operation),
    result,
    ...(ending.kind === 'aborted' && { endedBy: ending.by }),
    sentence: `${prefix}${headline(measured)}${also(', ', limited)}, ${correctness(measured)}.`,
  };
}

/** The part that was measured, unless it is the whole. */
function partOf({ shard }: Evidence): Shard | undefined {
  return shard === undefined || shard.of === 1 ? undefined : shard;
}

type Judged = {
  readonly thresholds: readonly LoadThresholdRecord[];
  readonly unserved: readonly Unserved[];
  /** Whether an answer broke a requirement, or a finding is bad: that counts, whatever else was measured. */
  readonly isViolated: boolean;
};

/**
 * If several results apply, the first decides. A load of which an operation was never served is not the load that the profile asks
 * for, so its thresholds decide nothing, unless they are about wrong answers.
 */
function resultOf(evidence: Evidence, { thresholds, unserved, isViolated }: Judged): LoadRecord['result'] {
  const { ending, facts } = evidence;
  if (ending.kind !== 'completed') return ending.kind;
  if (partOf(evidence) !== undefined) return 'unjudged';
  if (isViolated) return 'missed';
  if (unserved.length > 0) return 'unjudged';
  if (thresholds.some(({ verdict }) => verdict === 'missed')) return 'missed';
  const isUnjudged =
    isSpoilt(evidence, thresholds) ||
    thresholds.some(({ verdict }) => verdict === 'unjudged') ||
    facts.some(({ verdict }) => verdict === 'unclear');
  return isUnjudged ? 'unjudged' : 'held';
}

/**
 * Whether the generator leaves no verdict. A threshold is only judged where the generator cannot explain its value, so thresholds
 * that are all judged answer what the profile asks. Figures without a threshold, and facts, have no such safeguard.
 */
function isSpoilt({ causes, measured, facts }: Evidence, thresholds: readonly LoadThresholdRecord[]): boolean {
  if (causes.length === 0) return false;
  return (
    !measured.generator.isWholeLoad ||
    thresholds.length === 0 ||
    thresholds.some(({ verdict }) => verdict === 'unjudged') ||
    facts.some(({ verdict }) => verdict !== undefined)
  );
}

/** How many failed thresholds the sentence names. */
const mostNamed = 2;

/** What the sentence has to name, beside the figures. */
type Reasons = {
  readonly failed?: string | undefined;
  readonly unserved?: string | undefined;
  readonly unjudged?: readonly string[];
  readonly spoiltBy?: readonly Cause[];
};

function earlyPrefix(ending: Ending, { unserved }: Reasons): string | undefined {
  if (ending.kind === 'aborted') return `Ended early, because ${ending.by}${also(', and ', unserved)}: `;
  return ending.kind === 'interrupted' ? 'Interrupted: ' : undefined;
}

function prefixOf(
  result: LoadRecord['result'],
  { failed, unserved, unjudged = [], spoiltBy = [] }: Reasons,
): string | undefined {
  if (result === 'missed') return `Failed ${failed}${also(', and ', unserved)}: `;
  if (result !== 'unjudged') return undefined;
  if (unserved !== undefined) return `No verdict, because ${unserved}${also('; failed ', failed)}: `;
  const onWhat = unjudged.length === 0 || spoiltBy.length > 0 ? '' : ` on ${listed(unjudged, mostNamed)}`;
  return `${[`No verdict${onWhat}`, ...spoiltBy.map((cause) => causeTexts[cause])].join(', ')}: `;
}

const causeTexts: Readonly<Record<Cause, string>> = {
  apart: 'the parts did not start together',
  'held-back': 'limits.maxRequestsPerSecond held the load back',
  bottleneck: 'the generator was the bottleneck',
};

function also(link: string, reason: string | undefined): string {
  return reason === undefined ? '' : `${link}${reason}`;
}

/** What a reader must know about the figures of a load that passed. */
function notePrefix({ causes, facts }: Evidence, thresholds: number): string {
  if (thresholds === 0 && facts.every(({ verdict }) => verdict === undefined))
    return 'No thresholds: the load only checked that each operation was served: ';
  return causes.includes('bottleneck') ? 'The generator was the bottleneck, so the times may be its own: ' : '';
}

function correctness({ checked, warmUp, broken, findings }: Measured): string {
  const answers = `${count(checked)} answers checked${warmUp > 0 ? ' after the warm-up' : ''}`;
  const wrong = broken(undefined);
  if (wrong === 0) return `zero violations in ${answers}`;
  // As the threshold `violations` counts them; an answer can have several findings.
  const more = findings > wrong ? ` (${some(findings, 'finding')})` : '';
  return `violations in ${count(wrong)} of ${answers}${more}`;
}
