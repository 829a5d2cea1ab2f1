import type { Check } from '../engine/check.ts';
import { accessAttachment } from './access/access-attachment.ts';
import { accessByQuery } from './access/access-by-query.ts';
import { accessDeletion } from './access/access-deletion.ts';
import { accessForeign } from './access/access-foreign.ts';
import { accessMessages } from './access/access-messages.ts';
import { access } from './access/access.ts';
import { attachedSideBySide } from './access/attached-side-by-side.ts';
import { rolesAtLast } from './access/roles-at-last.ts';
import { grantedEachTime } from './access/granted-each-time.ts';
import { accessSideBySide } from './access/side-by-side.ts';
import { headerNames } from './access/header-names.ts';
import { answeredChat, answerShapes } from './errors/answer-shapes.ts';
import { attaching } from './billing/attach.ts';
import { authentication } from './authentication/authentication.ts';
import { billing } from './billing/billing.ts';
import { dataKept } from './billing/data-kept.ts';
import { conflict } from './conflict/conflict.ts';
import { dataSources, dataSourcesAfterDeletion } from './data-sources/data-sources.ts';
import { deleting } from './deletion/delete.ts';
import { attachmentDisclosure, disclosure } from './access/disclosure.ts';
import { durability } from './durability/durability.ts';
import { stillRead } from './durability/still-read.ts';
import { throughOutages } from './durability/through-outages.ts';
import { errors } from './errors/errors.ts';
import { idempotencyKeys } from './idempotency/idempotency-keys.ts';
import { idempotency } from './idempotency/idempotency.ts';
import { opaqueKeys } from './idempotency/opaque-keys.ts';
import { createdNow } from './messages/created-now.ts';
import { messageLimits } from './messages/message-limits.ts';
import { refusedNoTrace } from './messages/refused-no-trace.ts';
import { messageParents } from './messages/message-parents.ts';
import { messageTexts } from './messages/message-text.ts';
import { messages } from './messages/messages.ts';
import { modelLists } from './models/model-lists.ts';
import { models, modelsAfterDeletion, modelSense } from './models/models.ts';
import { sameColumns } from './models/same-columns.ts';
import { observations } from './errors/observations.ts';
import { filteredPaging } from './lists/filtered-paging.ts';
import { moreAtLast } from './lists/more-at-last.ts';
import { pagingAfterDeletion } from './lists/paging-after-deletion.ts';
import { listsSideBySide } from './lists/lists-side-by-side.ts';
import { paging } from './lists/paging.ts';
import { deletedAtLast, deletedLater } from './deletion/deleted-at-last.ts';
import { deletedEverywhere } from './deletion/deleted-everywhere.ts';
import { unlikeDeletions } from './deletion/unlike-deletions.ts';
import { sameRecords } from './lists/same-records.ts';
import { updatedByReading } from './lists/updated-by-reading.ts';
import { revalidated } from './deletion/revalidated.ts';
import { races } from './deletion/races.ts';
import { rateLimiting } from './rate-limit/checks.ts';
import { browserReads } from './errors/browser-reads.ts';
import { compression } from './errors/compression.ts';
import { inexactWrites } from './errors/inexact-ids.ts';
import { robustness } from './errors/robustness.ts';
import { sequences } from './sequence/sequences.ts';
import { unauthenticatedWrites } from './authentication/unauthenticated-writes.ts';
import { finishing, waiting } from './messages/waiting.ts';
import { walking } from './lists/walking.ts';
import { refusedAtLast } from './lists/refused-cursors.ts';

/**
 * Every check, in the order of the catalogue's areas. The first one shows whether requests are held longer than necessary, so that
 * the others do not wait for that. Those of who may send messages come after all that send some, because they need none where an admin
 * was seen to send one.
 */
export const suites: readonly Check[] = [
  ...finishing,
  ...authentication,
  ...unauthenticatedWrites,
  deletedLater,
  ...access,
  ...headerNames,
  ...grantedEachTime,
  ...accessSideBySide,
  ...accessByQuery,
  ...disclosure,
  deletedAtLast,
  ...accessDeletion,
  deletedEverywhere,
  ...accessAttachment,
  attachedSideBySide,
  ...rolesAtLast,
  attachmentDisclosure,
  ...accessForeign,
  ...paging,
  ...walking,
  ...refusedAtLast,
  ...listsSideBySide,
  ...sameRecords,
  ...updatedByReading,
  ...filteredPaging,
  ...models,
  ...modelSense,
  ...modelLists,
  sameColumns,
  ...dataSources,
  ...dataSourcesAfterDeletion,
  ...deleting,
  ...pagingAfterDeletion,
  moreAtLast,
  ...modelsAfterDeletion,
  ...messages,
  answeredChat,
  ...answerShapes,
  ...createdNow,
  ...messageParents,
  ...messageTexts,
  ...refusedNoTrace,
  ...messageLimits,
  ...waiting,
  ...idempotency,
  ...idempotencyKeys,
  ...opaqueKeys,
  ...conflict,
  ...accessMessages,
  ...billing,
  ...attaching,
  dataKept,
  ...races,
  revalidated,
  ...unlikeDeletions,
  ...sequences,
  ...robustness,
  ...inexactWrites,
  compression,
  browserReads,
  ...errors,
  ...observations,
  ...rateLimiting,
  ...stillRead,
  ...throughOutages,
  ...durability,
];
