import type { Target } from '../../core/target.ts';

/** A target of the bench: a server on loopback on which load is allowed. */
export function benchTarget(baseUrl: string): Target {
  return {
    name: 'Bench',
    baseUrl,
    principals: [{ name: 'bench', key: 'none', variable: '$NONE', adminOf: ['org_1'] }],
    organizations: [{ id: 'org_1', chats: [], disposableDataSources: [] }],
    billingAccounts: [],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
  };
}
