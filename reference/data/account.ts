import type { JsonObject } from '../http/json.ts';
import type { DataOptions } from './options.ts';
import { timestamp } from './timestamp.ts';

const statuses = { upper: 'ACTIVE', lower: 'active', 'unheard-of': 'grandfathered (2)' } as const;

/** The record of a billing account without organizationCount, which follows from the state. */
export function accountRecord(id: string, owner: string, options: DataOptions): JsonObject {
  const startMs = Date.UTC(2025, 11, 15);
  const extra = options.extraFields === 'none' ? {} : { currency: 'EUR', contacts: [{ email: 'b@example.com' }] };
  const gaps = options.optional === 'absent' ? {} : { aiUsageOverageLimitCents: limit(options) };
  return {
    id,
    name: 'Main account — Größe 数',
    ownerOrganizationId: owner,
    isActive: true,
    platformFeeWaived: false,
    allowOnDemandAiUsage: true,
    subscriptionStatus: options.nullable === 'null' ? null : statuses[options.words],
    aiUsageIncludedCreditsCents: 150_000,
    ...gaps,
    billingPeriodStart: timestamp(options.timestamps, startMs),
    billingPeriodEnd: timestamp(options.timestamps, startMs + 31 * 86_400_000),
    createdAt: timestamp(options.timestamps, startMs - 365 * 86_400_000),
    ...extra,
  };
}

function limit(options: DataOptions): number | null {
  return options.nullable === 'null' ? null : 50_000;
}
