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

/** A target file for a server of the bench. */
export function targetText(url: string, more = ''): string {
  return `name: Bench
baseUrl: ${url}
principals: { bench: { key: none, adminOf: [org_1] } }
organizations: { org_1: { chats: [cht_1] } }
allow: [load, messages]
${more}`;
}
