import type { Target } from '../../core/target.ts';

/** A target that declares nothing but an address at which nothing listens, with what `declared` adds. A load may be sent to it. */
export function plainTarget(declared: Partial<Target> = {}): Target {
  return {
    name: 'Test',
    baseUrl: 'http://127.0.0.1:1',
    principals: [],
    organizations: [],
    billingAccounts: [],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
    ...declared,
  };
}
