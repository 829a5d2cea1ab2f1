import type { Fault } from '../variation.ts';
import { accessFaults } from './access/access.ts';
import { attachingRoleFaults } from './access/attaching-roles.ts';
import { firstTryFaults } from './access/first-tries.ts';
import { foreignFaults } from './access/foreign.ts';
import { rememberedRoleFaults } from './access/remembered-roles.ts';
import { deniedWriteFaults } from './access/denied-writes.ts';
import { memberFaults } from './access/members.ts';
import { uncheckedRoleFaults } from './access/unchecked-queries.ts';
import { grantedByAttachingFaults } from './access/granted-by-attaching.ts';
import { answerShapeFaults } from './messages/answer-shapes.ts';
import { attachFaults } from './billing/attachment.ts';
import { refusedAttachmentFaults } from './billing/refused-attachments.ts';
import { authenticationFaults } from './authentication/authentication.ts';
import { billingFaults } from './billing/billing.ts';
import { conflictFaults } from './conflict/conflict.ts';
import { conflictTraceFaults } from './conflict/conflict-traces.ts';
import { cursorFaults } from './lists/cursors.ts';
import { sourceFaults } from './data-sources/data-sources.ts';
import { deletedCursorFaults } from './deletion/deleted-cursors.ts';
import { unlikeSourceFaults } from './deletion/unlike-sources.ts';
import { deletionFaults } from './deletion/deletion.ts';
import { deletionRecordFaults } from './deletion/deletion-records.ts';
import { othersTouchedFaults } from './deletion/others-touched.ts';
import { durabilityFaults } from './durability/durability.ts';
import { readAfterOutageFaults } from './durability/read-after-outages.ts';
import { outageFaults } from './durability/through-outages.ts';
import { errorFaults } from './errors/errors.ts';
import { oddIdFaults } from './errors/odd-ids.ts';
import { filteredListFaults } from './lists/filtered-lists.ts';
import { heldUnaskedFaults } from './messages/held-unasked.ts';
import { brokenForGoodFaults } from './sequence/broken-for-good.ts';
import { hasMoreFaults } from './lists/has-more.ts';
import { idempotencyKeyFaults } from './idempotency/idempotency-keys.ts';
import { idempotencyFaults } from './idempotency/idempotency.ts';
import { unauthenticatedWriteFaults } from './authentication/unauthenticated-writes.ts';
import { keyLookupFaults } from './authentication/key-lookup.ts';
import { unknownKeyFaults } from './authentication/unknown-keys.ts';
import { schemeFaults } from './authentication/schemes.ts';
import { uncheckedQueryFaults } from './authentication/unchecked-queries.ts';
import { sessionFaults } from './authentication/sessions.ts';
import { laterFaults } from './sequence/later.ts';
import { nodeFaults } from './sequence/nodes.ts';
import { keyIdentityFaults } from './idempotency/key-identities.ts';
import { lostAnswerFaults } from './idempotency/lost-answers.ts';
import { messageLimitFaults } from './messages/message-limits.ts';
import { messageTextFaults } from './messages/message-text.ts';
import { messageFaults } from './messages/messages.ts';
import { messageParentFaults } from './messages/message-parents.ts';
import { filterFaults } from './models/filters.ts';
import { modelLimitFaults } from './models/model-limits.ts';
import { modelSenseFaults } from './models/model-sense.ts';
import { serializedFaults } from './models/serialized.ts';
import { modelFaults } from './models/models.ts';
import { unknownFilterFaults } from './models/unknown-filters.ts';
import { touchedRecordFaults } from './lists/touched-records.ts';
import { unlikeRecordFaults } from './lists/unlike-records.ts';
import { wholePageFaults } from './lists/whole-pages.ts';
import { listCacheFaults } from './lists/list-caches.ts';
import { keptPageFaults } from './deletion/kept-pages.ts';
import { listLimitFaults } from './lists/list-limits.ts';
import { limitsOutOfRangeFaults } from './lists/limits-out-of-range.ts';
import { listFaults } from './lists/lists.ts';
import { olderRepetitionFaults } from './idempotency/older-repetitions.ts';
import { raceFaults } from './sequence/races.ts';
import { countDownFaults } from './rate-limit/counts-down.ts';
import { limitedWriteFaults } from './rate-limit/limited-writes.ts';
import { rateLimitFaults } from './rate-limit/rate-limit.ts';
import { refusedMessageFaults } from './messages/refused-messages.ts';
import { repetitionFaults } from './idempotency/repetitions.ts';
import { sequenceFaults } from './sequence/sequences.ts';
import { stuckChatFaults } from './conflict/stuck-chats.ts';
import { textInTransitFaults } from './messages/texts-in-transit.ts';
import { lockScopeFaults } from './conflict/lock-scopes.ts';
import { releasedLockFaults } from './conflict/released-locks.ts';
import { keyLifetimeFaults } from './idempotency/key-lifetimes.ts';
import { spentCursorFaults } from './lists/spent-cursors.ts';
import { unknownCursorFaults } from './lists/unknown-cursors.ts';
import { redeliveredFaults } from './conflict/redelivered.ts';
import { deliveryFaults } from './messages/deliveries.ts';
import { waitOutOfRangeFaults } from './messages/wait-out-of-range.ts';
import { waitEndFaults } from './messages/wait-ends.ts';
import { waitingFaults } from './messages/waiting.ts';
import { wireFaults } from './errors/wire.ts';

/** Every fault, in the order of the catalogue. */
export const faults: readonly Fault[] = [
  ...authenticationFaults,
  ...unauthenticatedWriteFaults,
  ...keyLookupFaults,
  ...unknownKeyFaults,
  ...schemeFaults,
  ...uncheckedQueryFaults,
  ...sessionFaults,
  ...accessFaults,
  ...attachingRoleFaults,
  ...firstTryFaults,
  ...foreignFaults,
  ...deniedWriteFaults,
  ...memberFaults,
  ...uncheckedRoleFaults,
  ...grantedByAttachingFaults,
  ...rememberedRoleFaults,
  ...listFaults,
  ...filteredListFaults,
  ...cursorFaults,
  ...hasMoreFaults,
  ...spentCursorFaults,
  ...unknownCursorFaults,
  ...listLimitFaults,
  ...limitsOutOfRangeFaults,
  ...listCacheFaults,
  ...keptPageFaults,
  ...touchedRecordFaults,
  ...unlikeRecordFaults,
  ...wholePageFaults,
  ...modelFaults,
  ...filterFaults,
  ...unknownFilterFaults,
  ...serializedFaults,
  ...modelLimitFaults,
  ...modelSenseFaults,
  ...sourceFaults,
  ...unlikeSourceFaults,
  ...deletionFaults,
  ...deletionRecordFaults,
  ...deletedCursorFaults,
  ...othersTouchedFaults,
  ...messageFaults,
  ...messageParentFaults,
  ...answerShapeFaults,
  ...messageTextFaults,
  ...textInTransitFaults,
  ...messageLimitFaults,
  ...refusedMessageFaults,
  ...waitingFaults,
  ...waitEndFaults,
  ...heldUnaskedFaults,
  ...waitOutOfRangeFaults,
  ...deliveryFaults,
  ...idempotencyFaults,
  ...repetitionFaults,
  ...olderRepetitionFaults,
  ...idempotencyKeyFaults,
  ...keyIdentityFaults,
  ...keyLifetimeFaults,
  ...conflictFaults,
  ...lockScopeFaults,
  ...releasedLockFaults,
  ...redeliveredFaults,
  ...conflictTraceFaults,
  ...stuckChatFaults,
  ...billingFaults,
  ...attachFaults,
  ...refusedAttachmentFaults,
  ...raceFaults,
  ...sequenceFaults,
  ...laterFaults,
  ...nodeFaults,
  ...lostAnswerFaults,
  ...errorFaults,
  ...oddIdFaults,
  ...rateLimitFaults,
  ...countDownFaults,
  ...limitedWriteFaults,
  ...wireFaults,
  ...durabilityFaults,
  ...outageFaults,
  ...readAfterOutageFaults,
  ...brokenForGoodFaults,
];
