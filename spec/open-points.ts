import type { OpenPoint } from './requirement.ts';

/** What the specification leaves open: recorded as observations, never judged. */
export const openPoints = [
  { point: 'auth.scheme-case', section: '5', sentence: 'Whether the scheme Bearer may be written in another case.' },
  { point: 'access.denied-status', section: '4.4', sentence: 'The status of a denied request, by operation.' },
  {
    point: 'access.unknown-status',
    section: '4.4',
    sentence: 'The status of a request for something that does not exist, by operation.',
  },
  {
    point: 'access.message-without-role',
    section: '5',
    sentence:
      'Whether a principal without a role in the organization, or another admin than its own, may write to a chat.',
  },
  {
    point: 'paging.limit-out-of-range',
    section: '8',
    sentence: 'Whether a limit out of range is refused or clamped, by operation and value.',
  },
  { point: 'paging.unknown-cursor', section: '4.1', sentence: 'What a cursor that nobody issued gives.' },
  { point: 'paging.deleted-cursor', section: '4.6', sentence: 'What the ID of a deleted item gives as cursor.' },
  {
    point: 'paging.cursor-under-filter',
    section: '4.1',
    sentence: 'What a cursor gives under another filter than its own.',
  },
  {
    point: 'sources.deleted-listed',
    section: '4.6',
    sentence: 'Whether a deleted data source is still listed, and the field that marks it.',
  },
  { point: 'delete.status', section: '4.6', sentence: 'The success status of a deletion.' },
  { point: 'delete.second', section: '4.6', sentence: 'What a second deletion of the same data source gives.' },
  { point: 'messages.refused-status', section: '4.2', sentence: 'The status of each kind of refused message.' },
  {
    point: 'messages.characters',
    section: '8',
    sentence: 'Whether characters are counted as code points or as UTF-16 units.',
  },
  {
    point: 'messages.odd-characters',
    section: '4.2',
    sentence: 'What becomes of NUL, control characters, noncharacters and unpaired surrogates in a message.',
  },
  {
    point: 'messages.without-key',
    section: '4.2',
    sentence: 'Whether a message may be sent without an idempotency key.',
  },
  { point: 'messages.parent', section: '2.4', sentence: 'Which message the parentId of each message names.' },
  {
    point: 'messages.client-gone',
    section: '4.2',
    sentence: 'Whether a response goes on whose client went away while it was held.',
  },
  { point: 'idempotency.header', section: '4.2', sentence: 'The name of the idempotency header.' },
  {
    point: 'idempotency.replay-form',
    section: '4.2',
    sentence: 'Whether a repeated request shows the original answer or the current state.',
  },
  { point: 'idempotency.other-body', section: '4.2', sentence: 'What the same key with another message gives.' },
  {
    point: 'idempotency.after-conflict',
    section: '4.2',
    sentence: 'Whether a key that was answered 409 can be used again.',
  },
  { point: 'attach.status', section: '4.3', sentence: 'The success status of attach, and the fields of its body.' },
  { point: 'attach.second', section: '4.3', sentence: 'What attaching an organization again gives.' },
  { point: 'attach.refused-status', section: '4.3', sentence: 'The status of each kind of refused attachment.' },
  { point: 'errors.titles', section: '7', sentence: 'The titles of errors, by operation and status.' },
  {
    point: 'errors.passing',
    section: '7',
    sentence: 'What a gateway, or an error inside, answered to what was then sent again.',
  },
  { point: 'rate.quota', section: '8', sentence: 'How many requests were answered before the first 429.' },
  { point: 'rate.window', section: '8', sentence: 'The longest retryAfterMs that was seen.' },
  { point: 'rate.retry-after', section: '7', sentence: 'Whether a 429 carries the header Retry-After.' },
  { point: 'values.chat-status', section: '2.3', sentence: 'The values of chat status that were seen.' },
  { point: 'values.message-role', section: '2.4', sentence: 'The values of message role that were seen.' },
  { point: 'values.message-status', section: '2.4', sentence: 'The values of message status that were seen.' },
  { point: 'values.part-type', section: '2.4', sentence: 'The values of part type that were seen.' },
  { point: 'values.part-phase', section: '2.4', sentence: 'The values of part phase that were seen.' },
  { point: 'values.dialect', section: '2.5', sentence: 'The values of dialect that were seen.' },
  { point: 'values.sync-status', section: '2.5', sentence: 'The values of lastSyncStatus that were seen.' },
  { point: 'values.health-status', section: '2.5', sentence: 'The values of lastHealthStatus that were seen.' },
  { point: 'values.subscription-status', section: '2.6', sentence: 'The values of subscriptionStatus that were seen.' },
  {
    point: 'fields.never-null',
    section: '2',
    sentence: 'The fields not shown as required that were never null or absent.',
  },
  {
    point: 'fields.always-null',
    section: '2',
    sentence: 'The fields not shown as required that were always null or absent.',
  },
  { point: 'fields.undocumented', section: '2', sentence: 'The fields that the specification does not name.' },
  { point: 'formats.date-time', section: '2', sentence: 'The forms of timestamps that were seen.' },
] as const satisfies readonly OpenPoint[];

export type OpenPointName = (typeof openPoints)[number]['point'];
