import type { Fault } from '../variation.ts';
import { accessByQueryFaults } from './access-by-query.ts';
import { accessFaults } from './access.ts';
import { answerShapeFaults } from './answer-shapes.ts';
import { attachFaults } from './attach.ts';
import { authenticationFaults } from './authentication.ts';
import { billingFaults } from './billing.ts';
import { conflictFaults } from './conflict.ts';
import { conflictTraceFaults } from './conflict-traces.ts';
import { cursorFaults } from './cursors.ts';
import { deletionFaults, sourceFaults } from './data-sources.ts';
import { durabilityFaults } from './durability.ts';
import { errorFaults } from './errors.ts';
import { filteredPagingFaults } from './filtered-paging.ts';
import { idempotencyKeyFaults } from './idempotency-keys.ts';
import { idempotencyFaults } from './idempotency.ts';
import { keyLookupFaults } from './key-lookup.ts';
import { laterFaults } from './later.ts';
import { lostAnswerFaults } from './lost-answers.ts';
import { messageLimitFaults } from './message-limits.ts';
import { messageTextFaults } from './message-text.ts';
import { messageFaults } from './messages.ts';
import { modelLimitFaults } from './model-limits.ts';
import { modelSenseFaults } from './model-sense.ts';
import { modelFaults } from './models.ts';
import { pagingLimitFaults } from './paging-limits.ts';
import { pagingFaults } from './paging.ts';
import { raceFaults } from './races.ts';
import { rateFaults } from './rate.ts';
import { refusedMessageFaults } from './refused-messages.ts';
import { repetitionFaults } from './repetitions.ts';
import { sequenceFaults } from './sequences.ts';
import { waitingFaults } from './waiting.ts';
import { wireFaults } from './wire.ts';

/** Every known way to be wrong, in the order of the catalogue. */
export const faults: readonly Fault[] = [
  ...authenticationFaults,
  ...keyLookupFaults,
  ...accessFaults,
  ...accessByQueryFaults,
  ...pagingFaults,
  ...filteredPagingFaults,
  ...cursorFaults,
  ...pagingLimitFaults,
  ...modelFaults,
  ...modelLimitFaults,
  ...modelSenseFaults,
  ...sourceFaults,
  ...deletionFaults,
  ...messageFaults,
  ...answerShapeFaults,
  ...messageTextFaults,
  ...messageLimitFaults,
  ...refusedMessageFaults,
  ...waitingFaults,
  ...idempotencyFaults,
  ...repetitionFaults,
  ...idempotencyKeyFaults,
  ...conflictFaults,
  ...conflictTraceFaults,
  ...billingFaults,
  ...attachFaults,
  ...raceFaults,
  ...sequenceFaults,
  ...laterFaults,
  ...lostAnswerFaults,
  ...errorFaults,
  ...rateFaults,
  ...wireFaults,
  ...durabilityFaults,
];
