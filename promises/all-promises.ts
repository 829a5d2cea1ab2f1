import { attachmentPromises } from './attachment.ts';
import { billingPromises } from './billing.ts';
import { sourcePromises } from './data-sources.ts';
import { deletionPromises } from './deletion.ts';
import { errorPromises, uniqueNames } from './errors.ts';
import type { AnswerPromise } from './judgement.ts';
import { listPromises } from './lists.ts';
import { messageRequestPromises } from './message-requests.ts';
import { messagePromises } from './messages.ts';
import { modelPromises } from './models.ts';
import { rateLimitBody } from './rate-limit.ts';

/** Everything that an answer promises by itself, together with its request. */
export const answerPromises: readonly AnswerPromise[] = [
  ...listPromises,
  ...modelPromises,
  ...sourcePromises,
  ...deletionPromises,
  ...messagePromises,
  ...messageRequestPromises,
  ...attachmentPromises,
  ...billingPromises,
  ...errorPromises,
  uniqueNames,
  rateLimitBody,
];
