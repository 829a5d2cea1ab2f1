import type { Check } from '../harness/check.ts';
import { accessAttachment } from './access-attachment.ts';
import { accessByQuery } from './access-by-query.ts';
import { accessDeletion } from './access-deletion.ts';
import { accessForeign } from './access-foreign.ts';
import { accessMessages } from './access-messages.ts';
import { access } from './access.ts';
import { answerShapes } from './answer-shapes.ts';
import { answeredChat } from './answered-chat.ts';
import { attaching } from './attach.ts';
import { authentication } from './authentication.ts';
import { billing } from './billing.ts';
import { conflict } from './conflict.ts';
import { dataSources } from './data-sources.ts';
import { deleting } from './delete.ts';
import { disclosure } from './disclosure.ts';
import { durability } from './durability.ts';
import { errors } from './errors.ts';
import { idempotencyKeys } from './idempotency-keys.ts';
import { idempotency } from './idempotency.ts';
import { messageLimits } from './message-limits.ts';
import { messageParents } from './message-parents.ts';
import { messageTexts } from './message-text.ts';
import { messages } from './messages.ts';
import { modelLists } from './model-lists.ts';
import { modelSense } from './model-sense.ts';
import { models } from './models.ts';
import { observations } from './observations.ts';
import { filteredPaging } from './filtered-paging.ts';
import { pagingAfterDeletion } from './paging-after-deletion.ts';
import { paging } from './paging.ts';
import { races } from './races.ts';
import { rateLimiting } from './rate-limit.ts';
import { robustness } from './robustness.ts';
import { sequences } from './sequences.ts';
import { unauthenticatedWrites } from './unauthenticated-writes.ts';
import { waiting } from './waiting.ts';
import { walking } from './walking.ts';

/** Every check, in the order of the catalogue's areas. */
export const suites: readonly Check[] = [
  ...authentication,
  ...unauthenticatedWrites,
  ...access,
  ...accessByQuery,
  ...disclosure,
  ...accessMessages,
  ...accessDeletion,
  ...accessAttachment,
  ...accessForeign,
  ...paging,
  ...walking,
  ...filteredPaging,
  ...models,
  ...modelSense,
  ...modelLists,
  ...dataSources,
  ...deleting,
  ...pagingAfterDeletion,
  ...messages,
  answeredChat,
  ...answerShapes,
  ...messageParents,
  ...messageTexts,
  ...messageLimits,
  ...waiting,
  ...idempotency,
  ...idempotencyKeys,
  ...conflict,
  ...billing,
  ...attaching,
  ...races,
  ...sequences,
  ...robustness,
  ...errors,
  ...observations,
  ...rateLimiting,
  ...durability,
];
