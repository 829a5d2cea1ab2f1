/** Why checks are blocked by a fault, or an unusual choice: a part of each reason, by the check's id. */
export const ofInside = {
  'assistant at-once': {
    'messages.accepted-is-generating':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'messages.immediate':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'wait.holds':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'wait.holds/long':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'wait.ends':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'wait.ends/side-by-side':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'idempotency.while-generating':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'idempotency.while-generating/after-wait':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'idempotency.no-duplicate/while-generating':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.refused': 'rate limited: the message that should have kept the chat busy was itself delayed',
    'conflict.refused/after-wait':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.refused/lost-answer':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.body':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.race':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.no-trace':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'conflict.no-trace/prolonged':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.other-chat':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.ends/after-wait':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.refused/pause':
      'no message met a generating response: the response ended too soon: set assistant.slowPrompt to something that ',
    'durability.chats/pause':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.refused/clock':
      'no message met a generating response: the response ended too soon: set assistant.slowPrompt to something that ',
    'durability.chats/clock':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
  },
  'byte-order-mark': {
    'access.denied-no-effect/attachOrganization/attached': 'the billing account shows no organizationCount',
    'messages.chat-types':
      'no answer shows the fields that this check compares in a form that can be read; they are optional',
    'messages.message-types':
      'no answer shows the fields that this check compares in a form that can be read; they are optional',
    'messages.distinct-ids': 'a message has no ID: messages.envelope judges that',
    'messages.distinct-ids/without-key': 'a message has no ID: messages.envelope judges that',
    'messages.chat-is-the-path/at-last': 'no answer of this run exercised the requirement',
    'paging.meta-types/at-last': 'no answer of this run exercised the requirement',
    'messages.parent-in-chat': 'two messages have one ID: messages.distinct-ids judges that',
    'messages.text': 'userMessage shows no text, and may do so: it is not shown as required',
    'billing.owner/after-attach': 'the billing account shows no ownerOrganizationId',
    'attach.count': 'the billing account shows no organizationCount',
    'attach.count/at-last': 'the billing account shows no organizationCount',
    'attach.count/others-at-last': 'needs another billing account that nothing is attached to',
    'attach.twice/at-once': 'the billing account shows no organizationCount: billing.types judges that',
    'attach.count/at-once': 'the billing account shows no organizationCount: billing.types judges that',
    'robustness.unique-names': 'no body of JSON was seen',
    'formats.rfc3339': 'no date-time was seen',
    'rate.honest/listModels': 'has no retryAfterMs that is a number',
    'rate.counts-down/listModels':
      'the rate limit never held long enough to see retryAfterMs count down: refusals in a row',
    'paging.has-more/listModels/at-a-limit': 'no model was listed, so an empty page shows nothing',
    'attach.twice/pause': 'the attachment was not counted before either: attach.count judges that',
    'attach.twice/clock': 'the attachment was not counted before either: attach.count judges that',
    'rate.honest/listModels/clock': 'has no retryAfterMs that is a number',
  },
  'role-remembered-for-organization': {
    'access.denied-no-effect/deleteDataSource/at-last':
      'later: declare more under organizations.<id>.disposableDataSources',
    'idempotency.other-caller':
      'needs a principal that is not adminOf the organization of a declared chat; every declared one may use the chat',
    'delete.gone-or-marked/at-once': 'for alice: access.denied judges that',
    'delete.others-untouched/at-once': 'for alice: access.denied judges that',
  },
  'key-ignored': {
    'idempotency.later/at-last': 'the key was forgotten at once: idempotency.after judges that',
    'idempotency.no-duplicate': 'an older message, when repeated, was answered',
    'wait.finishes/repeated': 'the repetition was answered',
    'wait.finishes/held-twice': 'the repetition of a message sent with wait was answered',
    'idempotency.opaque': 'the key itself is not recognized when it is repeated',
    'idempotency.opaque/numeric': 'the key itself is not recognized when it is repeated',
    'idempotency.after/pause': 'the key is forgotten even before: idempotency.later judges that',
    'idempotency.no-duplicate/pause':
      'a message that got no answer was refused afterwards, so it may or may not be in the chat',
    'durability.messages/pause': 'the parentId of a later message names a message that this run did not send',
    'idempotency.after/clock': 'the key is forgotten even before: idempotency.later judges that',
  },
  'second-message-denied': {
    'wait.finishes': 'a quick message with',
    'access.foreign-path/sendMessage': 'the chat accepts no message through its own path',
    'messages.distinct-ids/without-key': 'a message without a key was answered',
    'messages.text': 'a message with text in many scripts was answered',
    'message.too-long': 'message.maximum judges that',
    'wait.holds/any-wait': 'a message with',
    'wait.ends/side-by-side': 'a slow message with',
    'idempotency.key-too-long': 'characters is refused as well',
    'idempotency.after/falsy-key': 'which an earlier run may have used, was answered',
    'conflict.refused/after-wait': 'a message to a busy chat was answered',
    'conflict.ends': 'the chat accepts no message',
  },
  'conflict-423': {
    'messages.accepted-is-generating': 'a message to a busy chat was answered',
    'idempotency.opaque/uuid': 'a message to a busy chat was answered',
    'conflict.refused/after-wait': 'a message to a busy chat was answered',
    'conflict.refused/lost-answer': 'the next message was refused',
    'conflict.body': 'a message to a busy chat was answered',
    'conflict.no-trace': 'a second message was answered',
    'durability.messages/failover': 'the chat accepts no message after the failover',
    'durability.messages': 'the chat accepts no message after the restart',
  },
  'chat-lock-lingers': {
    'wait.finishes': 'a quick message with',
    'auth.no-effect/sendMessage':
      'did not become idle for as long as its responses may take: raise assistant.timeoutSeconds, now',
    'messages.distinct-ids': 'needs two accepted messages in one chat',
    'messages.accepted-is-generating': 'the slow prompt was answered',
    'message.minimum': 'the chat is busy: a message of one character',
  },
  'attached-by-others all-the-time': {
    'access.denied-no-effect/attachOrganization/at-last':
      'changes while this run does not change it: it lags, or other traffic changes it; run the suite against data th',
    'attach.count':
      'changes while this run does not change it: it lags, or other traffic changes it; run the suite against data th',
    'attach.count/others-at-last':
      'changes while this run does not change it: it lags, or other traffic changes it; run the suite against data th',
    'attach.count/at-once': 'an organization was counted twice: attach.twice judges that',
    'attach.twice/pause': 'organizationCount changed or is not shown after the pause',
  },
  'wait-capped-in-between': {
    'wait.finishes/held-twice': 'no response finished while a message and its repetition were waiting',
    'conflict.no-trace': 'the response took longer than assistant.timeoutSeconds',
    'conflict.no-trace/prolonged':
      'the response to assistant.slowPrompt takes so long that a longer one would exceed assistant.timeoutSeconds',
  },
  'key-without-last-character': {
    'messages.accepted-is-generating':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'wait.ends/side-by-side':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.refused':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.body':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
    'conflict.no-trace':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'conflict.other-chat':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
  },
  'conflict-429': {
    'messages.accepted-is-generating':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'idempotency.no-duplicate/while-generating':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'idempotency.opaque/uuid':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'conflict.body':
      'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first',
    'conflict.race': 'tries, and the next one would be',
  },
  'chat-lives-on-one-node': {
    'wait.ends/side-by-side': 'a slow message with',
    'idempotency.no-duplicate/while-generating': 'a message to a busy chat was answered',
    'wait.finishes/held-twice': 'the repetition of a message sent with wait was answered',
    'conflict.refused/lost-answer': 'the message was refused',
    'conflict.other-chat': '404 "NotFound"',
    'conflict.ends/after-wait': 'gave no messages with IDs',
    'rate.no-effect/sendMessage': 'gave no messages with IDs',
  },
  'errors-cut-off': {
    'errors.too-large-body': 'no request was refused, however large',
  },
  'message-fields few': {
    'messages.parent-in-chat': 'no message has a parentId, which is optional',
    'messages.parent-in-chat/two-chats': 'no message has a parentId, which is optional',
    'idempotency.no-duplicate/failover':
      'messages do not name the one before them as their parent, so one that no answer shows is not seen',
  },
  'deletion-for-nobody': {
    'access.denied/deleteDataSource': 'was refused',
    'access.foreign-path/deleteDataSource': 'was refused',
  },
  'message-role anybody': {
    'message.refused-no-trace/of-strangers': 'bob, who is no admin of the organization, may use the chat',
    'idempotency.other-caller':
      'needs a principal that is not adminOf the organization of a declared chat; every declared one may use the chat',
  },
  'key-of-256': {
    'message.refused-no-trace': 'characters was accepted: another requirement judges that',
  },
  'empty-list-null': {
    'paging.any-id-is-cursor/listModels': 'the answer is no readable page',
  },
  'message-201-elsewhere': {
    'conflict.refused/after-wait':
      'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer i',
  },
  'chat-lock-lingers-for-seconds': {
    'messages.text/values': 'the chat is busy',
    'message.maximum/any-length': 'the chat is busy: a message of',
    'idempotency.after/falsy-key': 'which an earlier run may have used, was answered',
  },
  'cursor-of-word-characters': {
    'delete.others-untouched/models': 'could not be read after the deletion',
    'delete.others-untouched/models-at-last': 'could not be read after the deletion',
  },
  'held-request-cut-off': {
    'idempotency.no-duplicate/lost-answer': 'the repetition was answered',
  },
  'window-twice-as-long': {
    'rate.no-effect/sendMessage': 'other requests used up the same quota: run the suite again',
  },
  'source-pages-without-cursor': {
    'paging.cursor-is-last-id/listDataSources': 'items: no page had a nextCursor',
  },
  'source-created-epoch': {
    'sources.updated-after-created': 'no data source shows createdAt and updatedAt in RFC',
  },
  'response-lasts-as-long-as-wait': {
    'conflict.no-trace/prolonged': 'requests are held for their whole wait, so nothing shows how long a response takes',
  },
  'denied-deletion-happens': {
    'delete.gone-or-marked/at-once': 'a disposable data source is not listed any more',
    'delete.others-untouched/at-once': 'a disposable data source is not listed any more',
  },
  'ids per-organization': {
    'access.foreign-path/sendMessage':
      'needs a principal that is adminOf an organization other than the one of a chat, and a chat whose ID is long en',
    'access.foreign-filter-404': 'other organizations may have a data source with the same ID',
  },
} as const;
