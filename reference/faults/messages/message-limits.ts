import { astral } from '../../data/texts.ts';
import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasWait, keyOf, on } from '../shared/requests.ts';
import { unwrapped } from '../shared/values.ts';

/** Some legal lengths are refused. */
function refusing(isRefused: (length: number, request: Request) => boolean): Fault['alter'] {
  return (rules) => ({
    messageInRange: (length, request) => !isRefused(length, request) && rules.messageInRange(length, request),
  });
}

/** Some illegal lengths are accepted. */
function accepting(isAccepted: (length: number) => boolean): Fault['alter'] {
  return (rules) => ({
    messageInRange: (length, request) => isAccepted(length) || rules.messageInRange(length, request),
  });
}

/** What is accepted as a message, and what is refused. */
export const messageLimitFaults = faultsOf({
  'message.minimum': {
    'message-from-two': {
      sentence: 'A message of one character is refused.',
      alter: refusing((length) => length === 1),
    },
    'emoji-alone-is-empty': {
      sentence: 'Emoji are removed before the message is checked for being empty.',
      alter: (rules) => ({
        messageLength: (text, request) =>
          /^\p{Extended_Pictographic}$/u.test(text) ? 0 : rules.messageLength(text, request),
      }),
    },
    'blank-refused': {
      sentence: 'A message is trimmed before its length is checked, so a single space is refused.',
      alter: (rules) => ({ messageLength: (text, request) => rules.messageLength(text.trim(), request) }),
    },
    'length-without-last': {
      sentence: 'The index of the last character is used as the length.',
      alter: (rules) => ({ messageLength: (text, request) => rules.messageLength(text, request) - 1 }),
    },
  },
  'message.maximum': {
    'message-below-10000': {
      sentence: 'A message of 10000 characters is refused: < instead of <=.',
      alter: refusing((length) => length === 10_000),
    },
    'message-at-most-4096': {
      sentence: 'A message may have at most 4096 characters, the limit of the language model.',
      alter: refusing((length) => length > 4096),
    },
    'length-in-bytes': {
      sentence: 'The length of a message is counted in bytes.',
      alter: () => ({ messageLength: (text) => Buffer.byteLength(text) }),
    },
    'length-decomposed': {
      sentence: 'The length of a message is counted after accents and syllables are decomposed.',
      alter: (rules) => ({
        messageLength: (text, request) => rules.messageLength(text.normalize('NFD'), request),
      }),
    },
    'length-in-entities': {
      sentence: 'The length of a message is counted after marks such as < have become entities of HTML.',
      alter: (rules) => ({
        messageLength: (text, request) => rules.messageLength(text.replaceAll(/[<>&"]/g, '&amp;'), request),
      }),
    },
    'body-at-most-32-kib': {
      sentence: 'A body may have at most 32 KiB, which 10000 escaped characters exceed.',
      alter: refusing((_length, { body }) => body.length > 32_768),
    },
  },
  'message.empty': {
    'empty-accepted': {
      sentence: 'An empty message is accepted.',
      alter: accepting((length) => length === 0),
    },
    'empty-accepted-with-wait': {
      sentence: 'Only the code that answers at once refuses an empty message: one with wait is accepted.',
      alter: (rules) => ({
        messageInRange: (length, request) =>
          (hasWait(request) && length === 0) || rules.messageInRange(length, request),
      }),
    },
    'empty-accepted-without-key': {
      sentence: 'A message is checked where its key is stored, so an empty one without a key is accepted.',
      alter: (rules) => ({
        messageInRange: (length, request) =>
          (keyOf(request, rules) === undefined && length === 0) || rules.messageInRange(length, request),
      }),
    },
    'empty-200': {
      sentence: 'An empty message is answered 200 with an error in the body.',
      alter: refusedWith(200, 'invalidMessage', ({ body }) => /"message"\s*:\s*""/.test(body)),
    },
  },
  'message.too-long': {
    'message-without-maximum': {
      sentence: 'A message may have any length.',
      alter: () => ({ messageInRange: (length) => length >= 1 }),
    },
    'message-length-in-16-bits': {
      sentence: 'The length of a message is kept in 16 bits, so a length of 65536 or a little more is a legal one.',
      alter: (rules) => ({ messageLength: (text, request) => rules.messageLength(text, request) % 65_536 }),
    },
    'message-in-chunks-without-maximum': {
      sentence: 'The length is checked by the header Content-Length, which a body in chunks does not have.',
      alter: (rules) => ({
        messageInRange: (length, request) =>
          (request.chunks > 0 && length > 0) || rules.messageInRange(length, request),
      }),
    },
    'message-10001': {
      sentence: 'A message of 10001 characters is accepted: the limit is used as the last allowed index.',
      alter: accepting((length) => length === 10_001),
    },
    'message-with-wait-without-maximum': {
      sentence: 'Only the code that answers at once checks the length: a message with wait may have any.',
      alter: (rules) => ({
        messageInRange: (length, request) => (hasWait(request) && length > 0) || rules.messageInRange(length, request),
      }),
    },
    'message-without-key-without-maximum': {
      sentence: 'A message is checked where its key is stored, so one without a key may have any length.',
      alter: (rules) => ({
        messageInRange: (length, request) =>
          (keyOf(request, rules) === undefined && length > 0) || rules.messageInRange(length, request),
      }),
    },
    'line-break-counts-once': {
      sentence: 'A carriage return with a line feed counts as one character.',
      alter: (rules) => ({
        messageLength: (text, request) => rules.messageLength(text.replaceAll('\r\n', '\n'), request),
      }),
    },
    'length-without-astral': {
      sentence: 'Characters of four bytes are not counted, so a message of them may have any length.',
      alter: (rules) => ({
        messageLength: (text, request) => rules.messageLength(text.replaceAll(astral, ''), request) || 1,
      }),
    },
  },
  'message.missing': {
    'missing-is-undefined': {
      sentence: 'A body without message sends the text "undefined".',
      alter: () => ({ messageField: (value) => (value === undefined ? 'undefined' : value) }),
    },
    'empty-body-is-message': {
      sentence: 'An empty body is read as the text of the message.',
      alter: () => ({
        jsonText: (body, request) => (on('sendMessage')(request) && body === '' ? '{"message":"…"}' : body),
      }),
    },
    'no-body-is-message': {
      sentence: 'A request without a body and a content type is not parsed, and sends the text "undefined".',
      alter: () => ({
        jsonText: (body, request) =>
          on('sendMessage')(request) && body === '' && request.headers['content-type'] === undefined
            ? '{"message":"undefined"}'
            : body,
      }),
    },
    'missing-with-wait-is-undefined': {
      sentence: 'A body without message sends the text "undefined" if the request has wait.',
      alter: () => ({
        messageField: (value, request) => (value === undefined && hasWait(request) ? 'undefined' : value),
      }),
    },
    'missing-message-202': {
      sentence: 'A body without message is answered 202 with an error in the body.',
      alter: refusedWith(202, 'invalidMessage', ({ body }) => !body.includes('"message"')),
    },
    'message-in-list': {
      sentence: 'A list with one object is accepted instead of the object.',
      alter: () => ({ jsonText: (body, request) => (on('sendMessage')(request) ? unwrapped(body) : body) }),
    },
  },
  'message.content-type': {
    'charset-refused': {
      sentence: 'The content type is compared as a whole, so application/json with a charset is refused.',
      alter: () => ({ mediaTypeAccepted: (contentType) => contentType === 'application/json' }),
    },
    'charset-needs-a-space': {
      sentence: 'The content type is split at a semicolon with a space, so application/json;charset=utf-8 is refused.',
      alter: (rules) => ({
        mediaTypeAccepted: (contentType, request) =>
          rules.mediaTypeAccepted(contentType, request) && !/;\S/.test(contentType ?? ''),
      }),
    },
    'media-type-by-case': {
      sentence: 'The media type is compared with regard to case.',
      alter: (rules) => ({
        mediaTypeAccepted: (contentType, request) =>
          rules.mediaTypeAccepted(contentType, request) && contentType?.startsWith('application/json') !== false,
      }),
    },
  },
  'message.not-a-string': {
    'message-coerced': {
      sentence: 'A message of another type is converted to a string.',
      alter: () => ({
        messageField: (value) => (value === undefined || typeof value === 'string' ? value : JSON.stringify(value)),
      }),
    },
    'message-with-wait-coerced': {
      sentence: 'A message of another type is converted to a string if the request has wait.',
      alter: () => ({
        messageField: (value, request) =>
          value === undefined || !hasWait(request) ? value : typeof value === 'string' ? value : JSON.stringify(value),
      }),
    },
    'message-list-joined': {
      sentence: 'A list of strings is accepted and joined.',
      alter: () => ({ messageField: (value) => (Array.isArray(value) ? value.join('\n') || ' ' : value) }),
    },
  },
});
