import type { LoadOperationRecord, Fact } from '../../../reports/load/load-record.ts';
import { some } from '../../../reports/text/figures.ts';
import type { RequirementId } from '../../../spec/catalogue.ts';
import { digits } from '../../compare/render/words.ts';
import type { LoadOperation } from '../../profile/mix.ts';
import { usualLagMs } from './compare-reads.ts';
import type { Judged } from './judged.ts';
import type { KeptAt } from './judged-rates.ts';

/** The requirements about several answers that a load shows, by what it sends. */
const judgedOf = {
  listModels: ['paging.walk'],
  listDataSources: ['paging.walk'],
  getBillingAccount: ['attach.count'],
  deleteDataSource: ['delete.gone-or-marked'],
  sendMessage: ['idempotency.while-generating', 'idempotency.after', 'conflict.refused'],
} as const satisfies Partial<Record<LoadOperation, readonly RequirementId[]>>;
type JudgedOperation = keyof typeof judgedOf;
type JudgedId = (typeof judgedOf)[JudgedOperation][number];

const longerTrials = 'use longer trials';
const longerResponses = `${longerTrials}, or a prompt whose response takes longer`;

/** Why a requirement was not judged, and what helps. */
const unjudgedBecause = {
  'paging.walk': { reason: `no list was read again after ${usualLagMs / 1000} s`, remedy: longerTrials },
  'attach.count': { reason: `no account was read again after ${usualLagMs / 1000} s`, remedy: longerTrials },
  'delete.gone-or-marked': { reason: 'no data source was deleted', remedy: 'declare more disposableDataSources' },
  'idempotency.while-generating': {
    reason: 'no message was repeated while its response was generating',
    remedy: longerResponses,
  },
  'idempotency.after': { reason: 'no message was repeated when its response was finished', remedy: longerTrials },
  'conflict.refused': {
    reason: 'no message was surely sent while another response of its chat was generating',
    remedy: longerResponses,
  },
} as const satisfies Record<JudgedId, { readonly reason: string; readonly remedy: string }>;

export type JudgedRate = {
  readonly ratePerSecond: number;
  readonly operations: readonly Pick<LoadOperationRecord, 'operation' | 'sent'>[];
  readonly kept: readonly Judged['kept'][];
  readonly broke: readonly string[];
};

/** At which rates each requirement was kept, and from which rate it was broken. `exercises`: what a trial can judge if it sends it. */
export function createKeptRates(exercises: (operation: string) => boolean) {
  const kept = new Map<string, Kept>();
  const exercised = new Set<JudgedId>();
  const brokenFrom = new Map<string, number>();

  function add({ ratePerSecond, operations, kept: counts, broke }: JudgedRate): void {
    for (const { operation, sent } of operations)
      if (sent > 0 && exercises(operation)) for (const id of idsOf(operation)) exercised.add(id);
    for (const [id, count] of counts.flatMap((each) => [...each])) {
      const { times, rates } = kept.get(id) ?? { times: 0, rates: [] };
      kept.set(id, { times: times + count, rates: [...rates, ratePerSecond] });
    }
    for (const id of broke) brokenFrom.set(id, Math.min(ratePerSecond, brokenFrom.get(id) ?? Infinity));
  }

  function facts(): readonly Fact[] {
    const expected = Object.keys(judgedOf).filter(exercises).flatMap(idsOf);
    return [...new Set([...expected, ...brokenFrom.keys()])].map((name) =>
      factOf(name, kept.get(name), brokenFrom.get(name)),
    );
  }

  /** Of each requirement that the trials so far exercised. */
  function keptAt(): readonly KeptAt[] {
    return [...exercised].map((requirement) => {
      const breaksAt = brokenFrom.get(requirement) ?? Infinity;
      const below = (kept.get(requirement)?.rates ?? []).filter((rate) => rate < breaksAt);
      const { remedy } = unjudgedBecause[requirement];
      return { requirement, remedy, ...(below.length === 0 ? {} : { keptAtPerSecond: Math.max(...below) }) };
    });
  }

  return { add, facts, keptAt };
}

type Kept = { readonly times: number; readonly rates: readonly number[] };

function factOf(name: string, kept: Kept | undefined, brokenFrom: number | undefined): Fact {
  const value = [
    ...(brokenFrom === undefined ? [] : [`broken first at ${digits(brokenFrom)}/s`]),
    ...(kept ? [`kept in ${some(kept.times, 'sequence')}, the fastest at ${digits(Math.max(...kept.rates))}/s`] : []),
  ].join('; ');
  if (value === '') return { name, value: notJudged(name), verdict: 'unclear' };
  return brokenFrom === undefined ? { name, value, verdict: 'good' } : { name, value };
}

function notJudged(name: string): string {
  if (!isJudgedId(name)) return 'not judged';
  const { reason, remedy } = unjudgedBecause[name];
  return `not judged: ${reason}; ${remedy}`;
}

function idsOf(operation: string): readonly JudgedId[] {
  return isJudgedOperation(operation) ? judgedOf[operation] : [];
}

function isJudgedOperation(operation: string): operation is JudgedOperation {
  return Object.hasOwn(judgedOf, operation);
}

function isJudgedId(name: string): name is JudgedId {
  return Object.hasOwn(unjudgedBecause, name);
}
