/** Something that the specification leaves open: what a deployment chose is recorded as a fact and never judged. */
type OpenPoint<Name extends string = string> = {
  /** Stable, `prefix.name`. */
  readonly point: Name;
  readonly section: string;
  readonly sentence: string;
};

function open<const Name extends string>(point: Name, section: string, sentence: string): OpenPoint<Name> {
  return { point, section, sentence };
}

export const openPoints = [
  open('auth.scheme-case', '5', 'Whether the scheme Bearer may be written in upper or lower case.'),
  open('access.denied-status', '4.4', 'The status of a denied request, by operation.'),
  open('access.unknown-status', '4.4', 'The status of a request for a resource that does not exist, by operation.'),
  open(
    'access.message-without-role',
    '5',
    "Whether a principal without a role in the organization, or another organization's admin, may write to a chat.",
  ),
  open('paging.limit-out-of-range', '8', 'Whether a limit out of range is refused or clamped, by operation and value.'),
  open('paging.unknown-cursor', '4.1', 'The answer to a cursor that the deployment never issued.'),
  open('paging.deleted-cursor', '4.6', 'The answer to a cursor that is the ID of a deleted item.'),
  open('paging.cursor-under-filter', '4.1', 'The answer to a cursor that was issued under another filter.'),
  open(
    'sources.deleted-listed',
    '4.6',
    'Whether a deleted data source is still listed, and which field marks it as deleted.',
  ),
  open('delete.status', '4.6', 'The success status of a deletion.'),
  open('delete.second', '4.6', 'The answer to a second deletion of the same data source.'),
  open('messages.refused-status', '4.2', 'The status of each kind of refused message.'),
  open('messages.wait-out-of-range', '8', 'Whether a wait out of range is refused or accepted, by value.'),
  open('messages.characters', '8', 'Whether characters are counted as UTF-16 units, or as code points or graphemes.'),
  open(
    'messages.odd-characters',
    '4.2',
    'How a message with NUL, control characters, noncharacters or unpaired surrogates is handled.',
  ),
  open('messages.without-key', '4.2', 'Whether a message may be sent without an idempotency key.'),
  open('messages.parent', '2.4', 'Which message the parentId of each message names.'),
  open('messages.client-gone', '4.2', 'Whether a response continues when the client disconnects while it waits.'),
  open('idempotency.header', '4.2', 'The name of the idempotency header.'),
  open(
    'idempotency.replay-form',
    '4.2',
    'Whether a repeated request returns the original answer or the current state.',
  ),
  open('idempotency.other-body', '4.2', 'The answer to the same key with another message.'),
  open('idempotency.after-conflict', '4.2', 'Whether a key can be used again after a 409 answer.'),
  open('attach.status', '4.3', 'The success status of attach, and the fields of its body.'),
  open('attach.second', '4.3', 'The answer to attaching the same organization again.'),
  open('attach.refused-status', '4.3', 'The status of each kind of refused attachment.'),
  open('errors.titles', '7', 'The error titles, by operation and status.'),
  open(
    'errors.passing',
    '7',
    'Answers of a gateway, and internal errors, to requests that succeeded when they were sent again.',
  ),
  open('rate.quota', '8', 'How many requests pass in a window, as far as a run can determine it.'),
  open('rate.window', '8', 'How long a window lasts, as far as a run can determine it.'),
  open('rate.retry-after', '7', 'Whether a 429 carries the header Retry-After.'),
  open('values.chat-status', '2.3', 'The values of chat status seen.'),
  open('values.message-role', '2.4', 'The values of message role seen.'),
  open('values.message-status', '2.4', 'The values of message status seen.'),
  open('values.part-type', '2.4', 'The values of part type seen.'),
  open('values.part-phase', '2.4', 'The values of part phase seen.'),
  open('values.dialect', '2.5', 'The values of dialect seen.'),
  open('values.sync-status', '2.5', 'The values of lastSyncStatus seen.'),
  open('values.health-status', '2.5', 'The values of lastHealthStatus seen.'),
  open('values.subscription-status', '2.6', 'The values of subscriptionStatus seen.'),
  open('fields.never-null', '2', 'Fields that the specification does not require and that were never null or absent.'),
  open(
    'fields.always-null',
    '2',
    'Fields that the specification does not require and that were always null or absent.',
  ),
  open('fields.undocumented', '2', 'Fields that the specification does not name.'),
  open('formats.date-time', '2', 'The timestamp formats seen.'),
];

export type OpenPointName = (typeof openPoints)[number]['point'];
