import { accessRules } from './access.ts';
import { authenticationRules } from './authentication.ts';
import { billingRules } from './billing.ts';
import { conflictRules } from './conflict.ts';
import { sourceRules } from './data-sources.ts';
import { deletionRules } from './deletion.ts';
import { durabilityRules } from './durability.ts';
import { errorRules } from './errors.ts';
import { idempotencyRules } from './idempotency.ts';
import { listRules } from './lists.ts';
import { messageRules } from './messages.ts';
import { modelRules } from './models.ts';
import { rateLimitRules } from './rate-limit.ts';
import { wireRules } from './wire.ts';

/** The specification: one function for each decision. */
export const specification = {
  ...authenticationRules,
  ...accessRules,
  ...listRules,
  ...modelRules,
  ...sourceRules,
  ...deletionRules,
  ...messageRules,
  ...idempotencyRules,
  ...conflictRules,
  ...billingRules,
  ...rateLimitRules,
  ...errorRules,
  ...durabilityRules,
  ...wireRules,
} as const;

/** The decisions of a deployment: those of the specification, except where a fault or a choice replaces one. */
export type Rules = { readonly [Name in keyof typeof specification]: (typeof specification)[Name] };
