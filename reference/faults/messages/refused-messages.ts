import type { Hooks } from '../../hooks/points.ts';
import type { RefusalKind } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { carriedOut, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { withoutParents } from '../shared/idle.ts';
import { keyOf, on } from '../shared/requests.ts';

/** Texts with certain characters cause an exception. */
function failing(isSafe: (text: string) => boolean, isSuch: (body: string) => boolean): Fault['alter'] {
  return (rules) => ({
    charactersAccepted: (text, request) => isSafe(text) && rules.charactersAccepted(text, request),
    ...refusedWith(500, 'invalidMessage', ({ body }) => isSuch(body))(rules),
  });
}

/** Messages that are refused in that way leave a trace. */
function becoming(fate: ReturnType<Hooks['refusedMessage']>, refused: RefusalKind): Fault['alter'] {
  return () => ({ refusedMessage: (_fate, _request, kind) => (kind === refused ? fate : 'nothing') });
}

/** How unusable messages are refused, and what they leave behind. */
export const refusedMessageFaults = faultsOf({
  'message.malformed': {
    'unpaired-surrogate-500': {
      sentence: 'An unpaired surrogate causes an exception when the text is stored.',
      alter: failing(
        (text) => text.isWellFormed(),
        (body) => /^\{"message":"\\ud83d"\}$/.test(body),
      ),
    },
    'nul-500': {
      sentence: 'The database rejects NUL, which causes an exception.',
      alter: failing(
        (text) => !text.includes('\0'),
        (body) => body.includes('\\u0000'),
      ),
    },
    'empty-key-500': {
      sentence: 'An empty idempotency key is looked up before the body is read, which causes an exception.',
      alter: (rules) => ({ status: (status, request) => (keyOf(request, rules) === '' ? 500 : status) }),
    },
    'malformed-json-500': {
      sentence: 'Malformed JSON causes an exception.',
      alter: refusedWith(500, 'malformedBody'),
    },
  },
  'message.refused-no-trace': {
    'refused-message-answered': {
      sentence: 'A message is stored before it is validated, and the assistant answers it.',
      idle: withoutParents,
      alter: becoming('answered-now', 'invalidMessage'),
    },
    'message-stored-before-wait-is-read': {
      sentence: 'A message whose wait is refused is still stored, without an answer.',
      idle: { ...withoutParents, 'wait-out-of-range': ['clamp', 'ignore', 'read-leniently'] },
      alter: becoming('stored', 'invalidWait'),
    },
    'malformed-body-keeps-lock': {
      sentence: 'The chat is locked before the body is parsed and stays locked for a while if that fails.',
      // An error inside may hide the answer that would show it.
      idle: {
        assistant: ['at-once', 'slow-is-half-a-second'],
        'json-reading': ['lenient'],
        gateway: ['errors-inside-on-messages'],
      },
      alter: becoming('answered-now', 'malformedBody'),
    },
    'refused-message-without-key-answered': {
      sentence: 'A message without a key is stored before it is validated, and the assistant answers it.',
      idle: withoutParents,
      alter: (rules) => ({
        refusedMessage: (fate, request, kind) =>
          kind === 'invalidMessage' && keyOf(request, rules) === undefined ? 'answered-now' : fate,
      }),
    },
    'key-refused-after-storing': {
      sentence: 'The length of the key is checked after the message is stored, so a refused message is answered.',
      idle: { assistant: ['at-once', 'slow-is-quick', 'moody'] },
      alter: becoming('answered-now', 'invalidKey'),
    },
    'denied-message-answered': {
      sentence: 'A message from a caller without access is refused but still answered by the assistant.',
      idle: { assistant: ['at-once'] },
      alter: carriedOut('denied', on('sendMessage')),
    },
  },
});
