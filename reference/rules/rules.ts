import { accessRules } from './access.ts';
import { authenticationRules } from './authentication.ts';
import { billingRules } from './billing.ts';
import { conflictRules } from './conflict.ts';
import { sourceRules } from './data-sources.ts';
import { deletionRules } from './deletion.ts';
import { durabilityRules } from './durability.ts';
import { errorRules } from './errors.ts';
import { idempotencyRules } from './idempotency.ts';
import { messageRules } from './messages.ts';
import { modelRules } from './models.ts';
import { pagingRules } from './paging.ts';
import { rateRules } from './rate.ts';
import { waitingRules } from './waiting.ts';
import { wireRules } from './wire.ts';

/** The specification, one function a decision. */
export const specification = {
  ...authenticationRules,
  ...accessRules,
  ...pagingRules,
  ...modelRules,
  ...sourceRules,
  ...deletionRules,
  ...messageRules,
  ...idempotencyRules,
  ...conflictRules,
  ...waitingRules,
  ...billingRules,
  ...rateRules,
  ...errorRules,
  ...durabilityRules,
  ...wireRules,
} as const;

/** Every decision of a deployment: the specification's own, but for what a fault or a choice puts in its place. */
export type Rules = { readonly [Name in keyof typeof specification]: (typeof specification)[Name] };
