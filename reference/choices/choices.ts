import type { Choice } from '../variation.ts';
import { billingChoices } from './billing.ts';
import { dataChoices } from './data.ts';
import { deletionChoices } from './deletion.ts';
import { durabilityChoices } from './durability.ts';
import { entryPointChoices } from './entry-points.ts';
import { idempotencyChoices } from './idempotency.ts';
import { messageChoices } from './messages.ts';
import { listChoices } from './lists.ts';
import { rateLimitChoices } from './rate-limit.ts';
import { errorChoices } from './errors.ts';
import { servingChoices } from './serving.ts';
import { wireChoices } from './wire.ts';

/** Every axis that the specification leaves open. */
export const choices: readonly Choice[] = [
  ...errorChoices,
  ...listChoices,
  ...dataChoices,
  ...deletionChoices,
  ...messageChoices,
  ...idempotencyChoices,
  ...billingChoices,
  ...rateLimitChoices,
  ...wireChoices,
  ...servingChoices,
  ...durabilityChoices,
  ...entryPointChoices,
];
