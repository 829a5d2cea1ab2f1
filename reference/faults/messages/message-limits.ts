import type { Fault } from '../../variation.ts';
import { astral } from '../../data/texts.ts';
import { unwrapped } from '../shared/unwrapped.ts';

/** What is accepted as a message, and what is refused. */
export const messageLimitFaults: readonly Fault[] = [
  {
    name: 'message-from-two',
    breaks: 'message.minimum',
    sentence: 'A message of one character is refused.',
    alter: (rules) => ({ messageInRange: (length, request) => length !== 1 && rules.messageInRange(length, request) }),
  },
  {
    name: 'emoji-alone-is-empty',
    breaks: 'message.minimum',
    sentence: 'Whether a message is empty is asked once emoji are taken out.',
    alter: (rules) => ({
      messageLength: (text, request) =>
        /^\p{Extended_Pictographic}$/u.test(text) ? 0 : rules.messageLength(text, request),
    }),
  },
  {
    name: 'length-without-last',
    breaks: 'message.minimum',
    sentence: 'The length is the index of the last character.',
    alter: (rules) => ({ messageLength: (text, request) => rules.messageLength(text, request) - 1 }),
  },
  {
    name: 'message-below-10000',
    breaks: 'message.maximum',
    sentence: 'A message of 10000 characters is refused, a < in place of a <=.',
    alter: (rules) => ({
      messageInRange: (length, request) => length !== 10_000 && rules.messageInRange(length, request),
    }),
  },
  {
    name: 'message-at-most-4096',
    breaks: 'message.maximum',
    sentence: 'The limit of the model behind the assistant, 4096, is the limit of a message.',
    alter: (rules) => ({
      messageInRange: (length, request) => length <= 4096 && rules.messageInRange(length, request),
    }),
  },
  {
    name: 'length-in-bytes',
    breaks: 'message.maximum',
    sentence: 'The length of a message is counted in bytes.',
    alter: () => ({ messageLength: (text) => Buffer.byteLength(text) }),
  },
  {
    name: 'empty-accepted',
    breaks: 'message.empty',
    sentence: 'An empty message is accepted.',
    alter: (rules) => ({ messageInRange: (length, request) => length === 0 || rules.messageInRange(length, request) }),
  },
  {
    name: 'empty-200',
    breaks: 'message.empty',
    sentence: 'An empty message is answered 200 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'invalidMessage' && /"message"\s*:\s*""/.test(request.body) ? 200 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'message-without-maximum',
    breaks: 'message.too-long',
    sentence: 'A message may be of any length.',
    alter: () => ({ messageInRange: (length) => length >= 1 }),
  },
  {
    name: 'message-10001',
    breaks: 'message.too-long',
    sentence: 'A message of 10001 characters is accepted, the limit being taken for the last allowed index.',
    alter: (rules) => ({
      messageInRange: (length, request) => length === 10_001 || rules.messageInRange(length, request),
    }),
  },
  {
    name: 'length-without-astral',
    breaks: 'message.too-long',
    sentence: 'Characters of four bytes are not counted, so that a message of them has no limit.',
    alter: (rules) => ({
      messageLength: (text, request) => rules.messageLength(text.replaceAll(astral, ''), request) || 1,
    }),
  },
  {
    name: 'missing-is-undefined',
    breaks: 'message.missing',
    sentence: 'A message that is not there is sent as the word undefined.',
    alter: (rules) => ({
      messageInstead: (value, request) => (value === undefined ? 'undefined' : rules.messageInstead(value, request)),
    }),
  },
  {
    name: 'missing-message-202',
    breaks: 'message.missing',
    sentence: 'A body without message is answered 202 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'invalidMessage' && !request.body.includes('"message"') ? 202 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'message-in-list',
    breaks: 'message.missing',
    sentence: 'A list of one object is taken for the object, as a client for batches once needed.',
    alter: (rules) => ({
      jsonRead: (body, request) =>
        rules.jsonRead(request.operation === 'sendMessage' ? unwrapped(body) : body, request),
    }),
  },
  {
    name: 'message-coerced',
    breaks: 'message.not-a-string',
    sentence: 'Whatever the message is, it is made a string.',
    alter: (rules) => ({
      messageInstead: (value, request) =>
        value === undefined ? rules.messageInstead(value, request) : JSON.stringify(value),
    }),
  },
  {
    name: 'message-list-joined',
    breaks: 'message.not-a-string',
    sentence: 'A list of texts is accepted and joined.',
    alter: (rules) => ({
      messageInstead: (value, request) =>
        Array.isArray(value) ? value.join('\n') || ' ' : rules.messageInstead(value, request),
    }),
  },
  {
    name: 'body-at-most-32-kib',
    breaks: 'message.maximum',
    sentence: 'A body has at most 32 KiB, which 10000 characters have as well, unless they are escaped.',
    alter: (rules) => ({
      messageInRange: (length, request) => request.body.length <= 32_768 && rules.messageInRange(length, request),
    }),
  },
];
