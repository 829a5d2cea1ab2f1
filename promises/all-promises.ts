import { attachmentPromises } from './attachment.ts';
import { billingPromises } from './billing.ts';
import { sourcePromises } from './data-sources.ts';
import { deletionPromises } from './deletion.ts';
import { answered, errorPromises, uniqueNames } from './errors.ts';
import { differentKeys, repeatedAfter, repeatedWhileGenerating } from './idempotency.ts';
import type { AnswerPromise, Promised } from './judgement.ts';
import { listPromises } from './lists.ts';
import { keyTooLong, messagePromises, waitHolds } from './messages.ts';
import { modelPromises } from './models.ts';
import { rateLimitBody } from './rate-limit.ts';

/** Everything that an answer promises by itself, together with its request. */
export const answerPromises: readonly AnswerPromise[] = [
  ...listPromises,
  ...modelPromises,
  ...sourcePromises,
  ...deletionPromises,
  ...messagePromises,
  ...attachmentPromises,
  ...billingPromises,
  ...errorPromises,
  uniqueNames,
  rateLimitBody,
];

/** Every requirement that has its judge here, once. */
export const judgedHere: readonly Pick<Promised<never>, 'requirement'>[] = [
  ...answerPromises,
  answered,
  keyTooLong,
  waitHolds,
  repeatedAfter,
  repeatedWhileGenerating,
  differentKeys,
];
