import type { Check } from '../engine/check.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Recorded } from './recorded.ts';
import type { Seen } from './seen.ts';
import { judged, onlyOfNew, seenIn, type ShownBy } from './seen-in.ts';

/**
 * The verdict of each check of the suite on the traffic: passed or violated by what was seen, blocked if nothing was. The second
 * check of a promise is blocked, because the first one reports what the traffic shows.
 */
export function judgeTraffic(
  checks: readonly Check[],
  traffic: readonly Recorded[],
  keyHeader: string | undefined,
  shownBy?: ShownBy,
): ReadonlyMap<string, Verdict> {
  const seen = Map.groupBy(seenIn(traffic, keyHeader, shownBy), (one) => one.requirement);
  const byRequirement = Map.groupBy(checks, ({ requirement }) => requirement);
  return new Map(
    checks.map((check) => {
      const all = byRequirement.get(check.requirement) ?? [];
      const count = { all: all.length, first: all.filter(isFirst).length };
      const isNameless = keyHeader === undefined && needsKeyHeader(check.requirement);
      const unseen = isNameless ? withoutName : 'the recorded traffic does not show it';
      return [
        check.id,
        verdictOf(
          check,
          count,
          judged.has(check.requirement) ? (seen.get(check.requirement) ?? []) : undefined,
          unseen,
        ),
      ];
    }),
  );
}

const withoutName =
  'which requests repeat one another is not known: name the idempotency header with --idempotency-header';

function needsKeyHeader(id: RequirementId): boolean {
  return onlyOfNew.has(id) || id.startsWith('idempotency.');
}

/** A promise has one first check, or one for each operation. */
function isFirst({ id, requirement, operation }: Check): boolean {
  return id === requirement || id === `${requirement}/${operation}`;
}

/** How many checks a promise has, and how many first ones. */
type Count = { readonly all: number; readonly first: number };

/** `unseen` is the reason of a check of which nothing was seen. The only first check of a promise reports for every operation. */
function verdictOf(check: Check, count: Count, seen: readonly Seen[] | undefined, unseen: string): Verdict {
  if (seen === undefined || (count.all > 1 && !isFirst(check))) {
    return blocked('recorded traffic cannot show it: awc run sends what it takes');
  }
  const { id, requirement, operation } = check;
  const isOfOne = id !== requirement && count.first > 1;
  const own = isOfOne ? seen.filter(({ exchange }) => exchange.operation === operation) : seen;
  const violation = own.find((one) => one.violation !== undefined)?.violation;
  if (violation !== undefined) {
    const { expected, actual, evidence } = violation;
    return { kind: 'violated', expected, actual, evidence, counterexample: undefined };
  }
  return own.length > 0 ? { kind: 'passed' } : blocked(unseen);
}

function blocked(reason: string): Verdict {
  return { kind: 'blocked', reason, evidence: [] };
}
