import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Message } from '../../state/state.ts';
import type { Altered } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { neverOutlastsWait } from '../shared/idle.ts';
import { isWholePage, keyOf, on } from '../shared/requests.ts';

/** Some new messages fail inside. Repetitions are answered from the store of keys. */
function failing(rules: Rules, fails: (request: Request) => boolean): Pick<Altered, 'failsInside' | 'key'> {
  const keys = new Set<string>();
  return {
    failsInside: (request) => {
      const isNew = on('sendMessage')(request) && !keys.has(keyOf(request, rules) ?? '');
      return (isNew && fails(request)) || rules.failsInside(request);
    },
    key: (key) => {
      if (key !== undefined) keys.add(key);
      return key;
    },
  };
}

/** Messages, and reads, that fail inside for good from some moment on. */
export const brokenForGoodFaults = faultsOf({
  'conflict.ends': {
    'deletion-breaks-messages': {
      sentence:
        'A deletion leaves the data sources of a chat unreadable for the assistant: every message fails inside.',
      alter: (rules) => {
        const broken = new Set<string>();
        return {
          onDeleted: (_item, { ids }) => void broken.add(ids.organizationId),
          ...failing(rules, ({ ids }) => broken.has(ids.organizationId)),
        };
      },
    },
    'eighth-message-fails': {
      sentence: 'A chat accepts eight messages. From then on every message fails inside: the history is too long.',
      alter: (rules) => {
        const counts = new Map<string, number>();
        return {
          onAccepted: ({ chatId }) => void counts.set(chatId, (counts.get(chatId) ?? 0) + 1),
          ...failing(rules, ({ ids }) => (counts.get(ids.chatId) ?? 0) >= 8),
        };
      },
    },
  },
  'conflict.other-chat': {
    'neighbour-fails-meanwhile': {
      sentence:
        'While a chat is generating, messages to the other chats of its organization fail with an internal error.',
      idle: { assistant: neverOutlastsWait },
      alter: (rules) => {
        const running: Message[] = [];
        return {
          onAccepted: (message) => void running.push(message),
          ...failing(rules, ({ ids, at }) =>
            running.some(
              ({ organizationId, chatId, finishesAt }) =>
                organizationId === ids.organizationId && chatId !== ids.chatId && at < finishesAt,
            ),
          ),
        };
      },
    },
  },
  'access.granted': {
    'record-breaks-its-page': {
      sentence:
        'One organization has a data source that cannot be written: a page of 100 ends in an exception, shorter ones do not reach it.',
      alter: (rules) => {
        const read = new Set<string>();
        return {
          failsInside: (request) => {
            const { operation, ids } = request;
            if (operation !== 'listDataSources' || !isWholePage(request)) return rules.failsInside(request);
            read.add(ids.organizationId);
            return [...read].indexOf(ids.organizationId) === 1 || rules.failsInside(request);
          },
        };
      },
    },
    'failover-breaks-accounts': {
      sentence: 'After a failover an account can be read only by the caller who read it first.',
      alter: (rules) => {
        const readers = new Map<string, string>();
        let isOver = false;
        return {
          onOutage: ({ kind }) => {
            isOver ||= kind === 'failover';
          },
          failsInside: (request) => {
            const { operation, ids } = request;
            const credential = rules.credentialHeader(request);
            if (operation !== 'getBillingAccount' || credential === undefined) return rules.failsInside(request);
            const first = readers.get(ids.accountId) ?? credential;
            readers.set(ids.accountId, first);
            return (isOver && first !== credential) || rules.failsInside(request);
          },
        };
      },
    },
  },
});
