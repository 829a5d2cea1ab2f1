import { z } from 'zod';
import { booleanIfAny, numberIfAny, openEnumeration, textIfAny } from './primitives.ts';

/** Section 2.6. The format of the three timestamps is not shown, so they are plain strings. */
export const billingAccountSchema = z.looseObject({
  id: z.string(),
  name: textIfAny,
  ownerOrganizationId: textIfAny,
  isActive: booleanIfAny,
  platformFeeWaived: booleanIfAny,
  allowOnDemandAiUsage: booleanIfAny,
  subscriptionStatus: openEnumeration().nullish(),
  aiUsageIncludedCreditsCents: numberIfAny,
  aiUsageOverageLimitCents: numberIfAny,
  billingPeriodStart: textIfAny,
  billingPeriodEnd: textIfAny,
  createdAt: textIfAny,
  organizationCount: numberIfAny,
});

/** Section 4.4, the answer. */
export const billingAccountAnswerSchema = z.looseObject({ data: billingAccountSchema });

/** Section 4.3, the request: the existing organization to attach. */
export const attachOrganizationRequestSchema = z.looseObject({ organizationId: z.string() });

export type BillingAccount = z.infer<typeof billingAccountSchema>;
export type BillingAccountAnswer = z.infer<typeof billingAccountAnswerSchema>;
export type AttachOrganizationRequest = z.infer<typeof attachOrganizationRequestSchema>;
