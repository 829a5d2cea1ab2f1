import type { Choice } from '../variation.ts';
import { attachmentChoices } from './attachment.ts';
import { dataChoices } from './data.ts';
import { deletionChoices } from './deletion.ts';
import { durabilityChoices } from './durability.ts';
import { idempotencyChoices } from './idempotency.ts';
import { messageChoices } from './messages.ts';
import { pagingChoices } from './paging.ts';
import { rateChoices } from './rate.ts';
import { refusalChoices } from './refusals.ts';
import { wireChoices } from './wire.ts';

/** Every freedom that the specification leaves. */
export const choices: readonly Choice[] = [
  ...refusalChoices,
  ...pagingChoices,
  ...dataChoices,
  ...deletionChoices,
  ...messageChoices,
  ...idempotencyChoices,
  ...attachmentChoices,
  ...rateChoices,
  ...wireChoices,
  ...durabilityChoices,
];
