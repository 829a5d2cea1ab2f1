import type { Check } from '../engine/check.ts';
import type { Verdict } from '../engine/verdict.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Recorded } from './recorded.ts';
import type { Rule, Seen } from './rule.ts';
import { attachmentRules } from './rules/attachments.ts';
import { errorRules } from './rules/errors.ts';
import { listRules } from './rules/lists.ts';
import { messageRules } from './rules/messages.ts';
import { recordRules } from './rules/records.ts';
import { repetitionRules } from './rules/repetitions.ts';
import { walkRules } from './rules/walks.ts';

/** Every promise that recorded traffic can be held to. */
export function trafficRules(keyHeader: string | undefined): readonly Rule[] {
  return [
    ...listRules,
    ...walkRules,
    ...recordRules,
    ...messageRules(keyHeader),
    ...repetitionRules(keyHeader),
    ...attachmentRules,
    ...errorRules,
  ];
}

/**
 * What the traffic says of each check of the suite: passed and violated by what was seen, blocked where nothing was. A
 * check that is a second one of its promise is blocked, because the first one speaks for the traffic.
 */
export function judgeTraffic(
  checks: readonly Check[],
  traffic: readonly Recorded[],
  keyHeader: string | undefined,
): ReadonlyMap<string, Verdict> {
  const seen = new Map<RequirementId, Seen[]>();
  const nameless = new Set<RequirementId>();
  for (const { requirement, needsKeyHeader, over } of trafficRules(keyHeader)) {
    const found = seen.get(requirement) ?? [];
    for (const one of over(traffic)) found.push(one);
    seen.set(requirement, found);
    if (needsKeyHeader && keyHeader === undefined) nameless.add(requirement);
  }
  const byRequirement = Map.groupBy(checks, ({ requirement }) => requirement);
  return new Map(
    checks.map((check) => {
      // The only check of a promise about several operations speaks for them all.
      const isOnly = byRequirement.get(check.requirement)?.length === 1;
      const unseen = nameless.has(check.requirement) ? withoutName : 'the recorded traffic does not show it';
      return [check.id, verdictOf(check, isOnly, seen.get(check.requirement), unseen)];
    }),
  );
}

const withoutName =
  'which requests repeat one another is not known: name the idempotency header with --idempotency-header';

/** `unseen` is why it is blocked when nothing was seen of it. */
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
