import type { RefusalKind } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';

/** The lock of a chat is released when a request is refused in that way. */
function releasedBy(refused: RefusalKind): Fault['alter'] {
  return (rules) => {
    const released = new Map<string, number>();
    return {
      onRefused: ({ kind }, { ids, at }) => {
        if (kind === refused) released.set(ids.chatId, at);
      },
      busy: (exchange, now, request) =>
        exchange.acceptedAt > (released.get(exchange.chatId) ?? Number.NEGATIVE_INFINITY) &&
        rules.busy(exchange, now, request),
    };
  };
}

/** Locks of chats that other requests release while a response is generating. */
export const releasedLockFaults = faultsOf({
  'conflict.refused': {
    'lock-released-by-invalid-message': {
      sentence:
        'The lock of a chat is released in the error handler of an invalid message, even if another message holds it.',
      alter: releasedBy('invalidMessage'),
    },
    'lock-released-by-malformed-body': {
      sentence: 'The lock of a chat is released where a body that is not JSON is refused.',
      alter: releasedBy('malformedBody'),
    },
    'lock-released-by-wait': {
      sentence: 'The lock of a chat is released where a wait that is no number is refused.',
      idle: { 'wait-out-of-range': ['clamp', 'ignore', 'read-leniently'] },
      alter: releasedBy('invalidWait'),
    },
    'lock-released-by-long-key': {
      sentence: 'The lock of a chat is released where a key that is too long is refused.',
      alter: releasedBy('invalidKey'),
    },
    'lock-released-without-key': {
      sentence: 'The lock of a chat is released in the error handler of a request without an API key.',
      alter: releasedBy('unauthenticated'),
    },
    'locks-released-by-deletion': {
      sentence:
        'The deletion of a data source evicts what is cached for its organization, and so the locks of its chats.',
      alter: (rules) => {
        const releasedAt = new Map<string, number>();
        return {
          onDeleted: ({ organizationId }, { at }) => void releasedAt.set(organizationId, at),
          busy: (exchange, now, request) =>
            exchange.acceptedAt > (releasedAt.get(exchange.organizationId) ?? Number.NEGATIVE_INFINITY) &&
            rules.busy(exchange, now, request),
        };
      },
    },
    'locks-released-by-attachment': {
      sentence: 'An attachment to a billing account restarts the service that keeps the locks of chats.',
      alter: (rules) => {
        let releasedAt = Number.NEGATIVE_INFINITY;
        return {
          onAttached(_organizationId, { at }) {
            releasedAt = at;
          },
          busy: (exchange, now, request) => exchange.acceptedAt > releasedAt && rules.busy(exchange, now, request),
        };
      },
    },
  },
});
