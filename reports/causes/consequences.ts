/**
 * What fell in the kill matrix with the faults of each requirement, and with how many of them. `causes.test.ts` writes
 * this file from the matrix.
 */
export const consequences = `
access.attach-needs-a-role: access.attach-needs-organization-admin 1, access.attach-needs-owner-admin 1, access.denied-no-effect 2
access.attach-needs-organization-admin: access.attach-needs-owner-admin 1, access.denied-no-effect 3
access.attach-needs-owner-admin: access.attach-needs-a-role 1, access.attach-needs-organization-admin 1, access.denied-no-effect 1
access.denied: access.attach-needs-a-role 3, access.attach-needs-organization-admin 2, access.attach-needs-owner-admin 2, access.denied-no-effect 3, access.granted 1, access.models-404 6, paging.any-id-is-cursor 1, paging.default-limit 1
access.denied-no-effect: attach.count 2, attach.twice 1
access.foreign-cursor: models.organization 1
access.foreign-filter: access.foreign-filter-404 2, models.organization 1
access.foreign-list: models.filter 2, models.filter-partition 1
access.foreign-path: messages.chat-is-the-path 3
access.granted: access.models-404 1, attach.count 1, attach.refused-no-5xx 1, attach.success 2, auth.no-key 1, auth.unknown-key 1, billing.record 4, conflict.race 2, conflict.refused 1, delete.models-removed 1, delete.record 2, durability.attachments 2, errors.no-5xx 3, idempotency.after 2, idempotency.key-maximum 1, idempotency.later 2, idempotency.other-chat 1, idempotency.parallel 1, idempotency.while-generating 1, message.malformed 1, messages.text 1, paging.any-id-is-cursor 1, paging.limit-minimum 2, wait.holds 1
access.models-404: access.attach-needs-a-role 1, access.attach-needs-owner-admin 1, access.denied 2, access.denied-no-effect 1
attach.count: access.denied-no-effect 3, attach.twice 2, durability.attachments 1
attach.data-kept: delete.others-untouched 1
attach.refused-no-5xx: auth.no-key 2, errors.no-5xx 3
attach.success: access.granted 3, attach.count 2, errors.body 2
attach.unknown-account: robustness.odd-ids 2
attach.unknown-organization: attach.inexact-id 2
auth.altered-key: auth.unknown-key 7
auth.before-lookup: auth.altered-key 2, auth.empty-token 2, auth.no-key 2, auth.truncated-key 2, auth.unknown-key 2, auth.wrong-scheme 2
auth.error-body: errors.body 2
auth.no-effect: access.granted 1
auth.no-key: access.denied 1, access.models-404 1, auth.before-lookup 3, auth.no-effect 1, auth.wrong-scheme 3, paging.any-id-is-cursor 1
auth.truncated-key: auth.altered-key 1, auth.unknown-key 1
auth.unknown-key: auth.altered-key 3, auth.before-lookup 3, auth.empty-token 1, auth.no-effect 1, auth.truncated-key 3, auth.wrong-scheme 2
billing.record: access.granted 1, auth.altered-key 1, auth.before-lookup 1, auth.empty-token 1, auth.no-key 1, auth.truncated-key 1, auth.unknown-key 1, auth.wrong-scheme 1, billing.types 1, robustness.odd-ids 1
billing.types: billing.same-record 1
billing.unknown: attach.unknown-account 1, billing.record 2, robustness.odd-ids 2
conflict.body: errors.body 1, errors.retry-only-when-limited 1
conflict.ends: access.foreign-path 6, access.granted 4, auth.no-effect 1, conflict.other-chat 3, conflict.race 2, conflict.refused 1, errors.no-5xx 2, idempotency.no-duplicate 1, idempotency.parallel 2, message.maximum 1, message.refused-no-trace 1, messages.ok-is-finished 2, robustness.odd-ids 1
conflict.no-trace: conflict.refused 2, durability.messages 2, idempotency.after 3, idempotency.later 2, idempotency.no-duplicate 4, messages.text 1
conflict.other-chat: conflict.ends 6, conflict.race 4, conflict.refused 4, errors.no-5xx 1, message.maximum 1, messages.ok-is-finished 2, robustness.odd-ids 1
conflict.race: conflict.refused 3, idempotency.no-duplicate 1, idempotency.parallel 1
conflict.refused: conflict.race 8, idempotency.after 1, idempotency.key-maximum 1, idempotency.no-duplicate 3, idempotency.other-chat 1, idempotency.parallel 1, idempotency.while-generating 1, message.maximum 1, message.minimum 1, messages.immediate 1, messages.text 1, wait.finishes 1, wait.holds 1, wait.maximum 1
delete.cursor-no-5xx: errors.body 1
delete.gone-or-marked: delete.models-removed 2, paging.has-more 2
delete.others-untouched: auth.no-effect 1, delete.cursor-keeps-place 1, delete.gone-or-marked 1, delete.record 1, paging.same-records 1
delete.record: access.granted 1, errors.body 1
delete.twice-no-5xx: errors.body 1
delete.unknown: access.foreign-path 2, delete.record 1, robustness.odd-ids 2
delete.unknown-no-5xx: errors.no-5xx 1, robustness.odd-ids 1
durability.deletions: delete.gone-or-marked 1, delete.models-removed 1, paging.any-id-is-cursor 1
durability.messages: durability.keys 3
errors.body: auth.error-body 2, conflict.body 2, errors.content-type 1, errors.too-large-body 2, models.unknown-data-source 1, models.unknown-organization 2, paging.limit-refused 3, rate.body 1, robustness.json 1
errors.no-5xx: errors.body 1, paging.limit-refused 1
errors.retry-only-when-limited: conflict.body 1
errors.title-means-limited: errors.retry-only-when-limited 1
idempotency.after: conflict.ends 3, conflict.refused 1, durability.keys 6, durability.messages 1, idempotency.key-maximum 8, idempotency.later 18, idempotency.no-duplicate 2, idempotency.other-chat 6, idempotency.parallel 3, idempotency.while-generating 7, messages.success-status 1
idempotency.key-maximum: access.granted 1, idempotency.after 1, idempotency.parallel 1
idempotency.later: conflict.refused 2, durability.keys 8, idempotency.after 18, idempotency.key-maximum 2, idempotency.no-duplicate 2, idempotency.parallel 2, idempotency.while-generating 2, messages.chat-created-once 1
idempotency.no-duplicate: conflict.ends 2, conflict.refused 2, wait.finishes 1
idempotency.opaque: auth.no-effect 1, conflict.race 1, conflict.refused 1, durability.messages 1, idempotency.other-caller 1, messages.distinct-ids 1, messages.text 1
idempotency.other-caller: idempotency.other-chat 1, messages.chat-is-the-path 1
idempotency.other-chat: idempotency.after 1, messages.chat-is-the-path 3
idempotency.parallel: conflict.race 1, conflict.refused 1, errors.body 2, idempotency.after 1, idempotency.key-maximum 1, idempotency.later 1, idempotency.no-duplicate 1, idempotency.while-generating 1
idempotency.while-generating: conflict.ends 1, conflict.refused 1, idempotency.after 4, idempotency.key-maximum 1, idempotency.later 3, idempotency.no-duplicate 1, idempotency.other-chat 1, idempotency.parallel 3
message.empty: conflict.refused 1, messages.envelope 1, messages.text 1
message.malformed: attach.refused-no-5xx 1, errors.no-5xx 2
message.minimum: message.too-long 2, messages.text 3
message.missing: messages.envelope 1
message.too-long: message.empty 1, messages.text 1
messages.accepted-is-generating: wait.holds 1, wait.maximum 1, wait.minimum 1
messages.chat-created-once: durability.keys 2, idempotency.after 2, idempotency.key-maximum 1, idempotency.later 2, idempotency.no-duplicate 1, idempotency.parallel 1, idempotency.while-generating 2, messages.chat-updated-after-created 1, messages.created-in-order 1
messages.created-in-order: messages.created-now 2
messages.distinct-ids: conflict.no-trace 1
messages.message-types: durability.keys 1, idempotency.after 1, idempotency.key-maximum 1, idempotency.later 1, idempotency.parallel 1, idempotency.while-generating 1
messages.ok-is-finished: conflict.ends 1, conflict.no-trace 2
messages.success-status: idempotency.after 3, idempotency.key-maximum 2, idempotency.while-generating 1
messages.text: errors.body 1, errors.content-type 1, message.minimum 1, robustness.json 1
messages.unknown-chat: access.foreign-path 1, messages.chat-is-the-path 1, messages.envelope 1, messages.parent-in-chat 1, robustness.odd-ids 2
messages.updated-after-created: messages.created-in-order 1, messages.created-now 1
models.cardinality: paging.same-records 1
models.column-description: models.key-columns-exist 2, models.same-columns 1, models.time-column-exists 2
models.column-example: models.key-columns-exist 2, models.same-columns 1, models.time-column-exists 2
models.column-synonyms: models.key-columns-exist 2, models.same-columns 1, models.time-column-exists 2
models.column-type: models.key-columns-exist 3, models.same-columns 1, models.time-column-exists 3
models.columns: models.column-example 1, models.key-columns-exist 2, models.time-column-exists 2
models.default-time-column: models.time-column-exists 2
models.description: paging.same-records 1
models.example-is-first-sample: models.same-columns 1, paging.same-records 1
models.filter: access.foreign-filter-404 2, models.filter-partition 3, models.unknown-data-source 2, paging.walk 1, robustness.odd-ids 3
models.filter-partition: models.filter 2
models.grain: paging.same-records 1
models.key-columns: models.key-columns-exist 2, paging.same-records 1
models.measure-text: paging.same-records 1
models.measures: paging.same-records 1
models.organization: access.foreign-list 1, paging.any-id-is-cursor 1
models.relationships: paging.same-records 1
models.samples-distinct: models.same-columns 1, paging.same-records 1
models.segment-text: paging.same-records 1
models.segments: paging.same-records 1
models.text-fields: delete.models-removed 1
models.unknown-data-source: access.foreign-filter-404 2, models.filter 1, robustness.odd-ids 1
models.unknown-organization: robustness.odd-ids 1
models.verified: models.verified-by 1
models.warning-code: models.same-columns 1
paging.any-id-is-cursor: delete.cursor-keeps-place 1, delete.cursor-reaches-the-rest 1, delete.others-untouched 2, errors.body 1, models.filter 4, paging.has-more 3, paging.walk 9
paging.cursor-is-last-id: delete.cursor-keeps-place 1, paging.any-id-is-cursor 1, paging.has-more 1, paging.walk 2
paging.cursor-null: paging.any-id-is-cursor 1, paging.walk 1
paging.default-limit: paging.any-id-is-cursor 2
paging.envelope: paging.meta-types 1
paging.has-more: models.filter 2, models.unknown-data-source 1, models.unknown-organization 1, paging.cursor-null 6, paging.default-limit 3, paging.limit 8
paging.limit: paging.any-id-is-cursor 7, paging.default-limit 2, paging.has-more 3, paging.limit-cap 1, paging.limit-maximum 2, paging.limit-minimum 1, paging.walk 6
paging.limit-cap: paging.limit-refused 9
paging.limit-maximum: access.foreign-filter-404 1, errors.no-5xx 1, paging.limit 1
paging.limit-minimum: access.granted 1, models.filter 1, paging.any-id-is-cursor 1, paging.has-more 1, paging.limit 1, paging.walk 1
paging.newest-first: delete.cursor-keeps-place 2, delete.cursor-reaches-the-rest 3, delete.others-untouched 1, models.filter 1, paging.any-id-is-cursor 2, paging.has-more 1, paging.walk 1
paging.same-records: access.denied-no-effect 1, auth.no-effect 1, delete.cursor-keeps-place 1, delete.others-untouched 1, delete.record 1, models.updated-after-created 1, models.verified-after-created 1, paging.newest-first 2, rate.no-effect 1, sources.updated-after-created 1
paging.unknown-cursor: errors.no-5xx 1
paging.walk: delete.cursor-keeps-place 2, delete.cursor-reaches-the-rest 2, delete.others-untouched 4, errors.body 1, models.filter 8, models.filter-partition 5, models.organization 1, paging.any-id-is-cursor 6, paging.envelope 1, paging.has-more 3, paging.limit 2, paging.limit-minimum 1, paging.newest-first 2
rate.body: rate.counts-down 1, rate.honest 1
rate.counts-down: rate.honest 2
rate.honest: rate.counts-down 4, rate.no-effect 1
rate.no-effect: attach.refused-no-effect 1, rate.honest 1
robustness.json: auth.error-body 2, billing.record 4, billing.types 4, conflict.body 1, errors.body 2, errors.too-large-body 1, messages.envelope 3, messages.text 2, paging.envelope 5, paging.meta-types 5, rate.body 2
wait.ends: conflict.race 1, errors.body 2, wait.finishes 1, wait.holds 3
wait.holds: wait.maximum 2, wait.minimum 3
wait.maximum: wait.holds 1
wait.minimum: wait.holds 1
wait.refused: robustness.answered 1
`;
