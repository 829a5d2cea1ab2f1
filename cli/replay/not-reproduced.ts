import type { Check } from '../../engine/check.ts';
import type { CheckRecord, ExchangeRecord, RunRecord } from '../../reports/record/record.ts';
import { listed } from '../../reports/text/some-of.ts';

/** Why a check that was violated and now passes does not show that the deployment was repaired; undefined if it does. */
export function whyNotReproduced(check: Check<string>, before: CheckRecord, record: RunRecord): string | undefined {
  return fixturesGone(check, before, record) ?? chance(check, before);
}

/** Of a check that uses fixtures up, or is seen to. The embedded reference has all of them again. */
function fixturesGone(
  { uses }: Check<string>,
  { exchanges }: CheckRecord,
  { usedUp, target }: RunRecord,
): string | undefined {
  if (usedUp === undefined || target.embedded !== undefined) return undefined;
  const deleted = usedUp.deletions.map(({ organizationId, dataSourceId }) => `${dataSourceId} of ${organizationId}`);
  const attached = usedUp.attachments.map((one) => `${one.organizationId} to ${one.billingAccountId}`);
  const changes = [
    { effect: 'deletions', operation: 'deleteDataSource', did: 'deleted', what: deleted, others: 'data sources' },
    {
      effect: 'attachments',
      operation: 'attachOrganization',
      did: 'attached',
      what: attached,
      others: 'organizations',
    },
  ] as const;
  const change = changes.find(
    ({ effect, operation, what }) =>
      what.length > 0 && (uses.includes(effect) || exchanges.some((exchange) => exchange.operation === operation)),
  );
  if (change === undefined) return undefined;
  return `the run of the report ${change.did} ${listed(change.what, 3)}, so the replay tried other ${change.others}`;
}

function chance({ tries }: Check<string>, { lanes, exchanges }: CheckRecord): string | undefined {
  if (lanes !== undefined || exchanges.some((one, place) => overlaps(one, exchanges[place + 1]))) {
    return 'the requests of this check overlap, and chance decides their order: replay it again, or run the suite again';
  }
  return tries > 1
    ? 'this check judges times, which differ from run to run: replay it again, or run the suite again'
    : undefined;
}

/** Whether the next request left for certain before the answer to this one: instants are whole milliseconds. */
function overlaps(one: ExchangeRecord, next: ExchangeRecord | undefined): boolean {
  return next !== undefined && Date.parse(next.sentAt) + 1 < Date.parse(one.sentAt) + one.durationMs;
}
