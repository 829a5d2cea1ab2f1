import { sideEffects, type Target } from '../core/target.ts';
import type { WorldData } from './data/world-data.ts';
import { prompts } from './prompts.ts';

/** The target that describes a world: everything that its callers may know. */
export function createTarget(data: WorldData, baseUrl: string, idempotencyHeader: string): Target {
  return {
    name: 'Embedded reference',
    baseUrl,
    principals: data.callers.map(({ name, key, adminOf }) => ({
      name,
      key,
      variable: `$AWC_KEY_${name.toUpperCase()}`,
      adminOf: [...adminOf],
    })),
    organizations: [...data.organizations.values()].map(({ id, chats, disposable }) => ({
      id,
      chats,
      disposableDataSources: disposable,
    })),
    billingAccounts: [...data.accounts.values()].map(({ id, owner, attachable }) => ({ id, owner, attachable })),
    idempotencyHeader,
    assistant: { quickPrompt: prompts.quick, slowPrompt: prompts.slow, timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Number.POSITIVE_INFINITY, toleranceMs: 750, rateProbeRequests: 2000 },
    allow: new Set(sideEffects),
  };
}
