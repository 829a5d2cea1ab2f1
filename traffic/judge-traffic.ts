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
      // The only check of a promise about several operations reports for all of them.
      const isOnly = byRequirement.get(check.requirement)?.length === 1;
      const isNameless = keyHeader === undefined && needsKeyHeader(check.requirement);
      const unseen = isNameless ? withoutName : 'the recorded traffic does not show it';
      return [
        check.id,
        verdictOf(
          check,
          isOnly,
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

/** `unseen` is the reason of a check of which nothing was seen. */
function verdictOf(check: Check, isOnly: boolean, seen: readonly Seen[] | undefined, unseen: string): Verdict {
  const { id, requirement, operation } = check;
  const isForOne = id === `${requirement}/${operation}`;
  if (seen === undefined || (!isOnly && id !== requirement && !isForOne)) {
    return blocked('recorded traffic cannot show it: awc run sends what it takes');
  }
  const own = isForOne && !isOnly ? seen.filter(({ exchange }) => exchange.operation === operation) : seen;
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
