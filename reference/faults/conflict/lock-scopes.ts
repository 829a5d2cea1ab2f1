import { hash } from '../../../core/hash.ts';
import type { Exchange } from '../../state/state.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { neverOutlastsWait } from '../shared/idle.ts';
import { hasWait, keyOf } from '../shared/requests.ts';

/** Choices under which messages never arrive at the same instant. */
const neverTogether = { 'rate-window': ['spaced'] };

/** Locks of chats that hold for some requests or processes only, or for too many. */
export const lockScopeFaults = faultsOf({
  'conflict.refused': {
    'busy-chat-queues-with-wait': {
      sentence: 'A message with wait to a busy chat waits for its turn instead of being refused.',
      idle: { assistant: ['minutes', 'always-1200-ms'] },
      alter: () => ({ whenBusy: (fate, request) => (hasWait(request) ? 'queue' : fate) }),
    },
    'busy-chat-queues-with-long-wait': {
      sentence:
        'A message with a wait of five seconds or more to a busy chat waits for its turn instead of being refused.',
      idle: { assistant: ['minutes', 'always-1200-ms'] },
      alter: () => ({
        whenBusy: (fate, { query }) => (Number(query.get('wait')?.[0]) >= 5 ? 'queue' : fate),
      }),
    },
    'lock-needs-a-key': {
      sentence: 'The lock of a chat is stored with the idempotency key, so a message without a key does not lock.',
      idle: { 'key-required': ['yes'], assistant: [...neverOutlastsWait, 'seconds', 'minutes', 'always-1200-ms'] },
      alter: (rules) => {
        const locking = new Set<string>();
        return {
          onAccepted: ({ userId }, request) => {
            if (keyOf(request, rules) !== undefined) locking.add(userId);
          },
          busy: (exchange, now, request) => locking.has(exchange.userId) && rules.busy(exchange, now, request),
        };
      },
    },
    'first-response-unlocked': {
      sentence: 'The lock of a chat is a row that the first message creates and only later ones take.',
      alter: (rules) => {
        const chats = new Set<string>();
        const first = new Set<string>();
        return {
          onAccepted: ({ chatId, userId }) => {
            if (!chats.has(chatId)) first.add(userId);
            chats.add(chatId);
          },
          busy: (exchange, now, request) => !first.has(exchange.userId) && rules.busy(exchange, now, request),
        };
      },
    },
    'lock-per-process': {
      sentence: 'The lock of a chat is in the memory of one of two processes.',
      alter: (rules) => {
        const processOf = new Map<string, number>();
        return {
          onAccepted: ({ userId }, { turn }) => void processOf.set(userId, turn % 2),
          busy: (exchange, now, request) =>
            processOf.get(exchange.userId) === request.turn % 2 && rules.busy(exchange, now, request),
        };
      },
    },
  },
  'conflict.race': {
    'lock-per-member': {
      sentence: 'The lock of a chat is one of each member, so a message of another admin is accepted meanwhile.',
      alter: (rules) => {
        const memberOf = new Map<string, string | undefined>();
        return {
          onAccepted: ({ userId }, { caller }) => void memberOf.set(userId, caller?.name),
          busy: (exchange, now, request) =>
            memberOf.get(exchange.userId) === request.caller?.name && rules.busy(exchange, now, request),
        };
      },
    },
    'busy-chat-denies-another-admin': {
      sentence:
        'A busy chat answers 403 to every admin but the one who used it first; an idle chat accepts their messages.',
      idle: { assistant: ['at-once'] },
      alter: (rules) => {
        const firstIn = new Map<string, string | undefined>();
        return {
          onAccepted({ chatId }, { caller }) {
            if (!firstIn.has(chatId)) firstIn.set(chatId, caller?.name);
          },
          refusalStatus: (kind, request) =>
            kind === 'conflict' && firstIn.get(request.ids.chatId) !== request.caller?.name
              ? 403
              : rules.refusalStatus(kind, request),
        };
      },
    },
    'same-text-joins': {
      sentence: 'A message with the text of the running one is mistaken for a double click and accepted.',
      alter: (rules) => ({
        busy: (exchange, now, request) =>
          !request.body.includes(JSON.stringify(exchange.text)) && rules.busy(exchange, now, request),
      }),
    },
  },
  'conflict.other-chat': {
    'unkeyed-message-soon-after-another-500': {
      sentence:
        'A message without a key that comes within a second after another one in its organization is stored, and answered 500.',
      idle: { 'key-required': ['yes'] },
      alter: (rules) => {
        const latest = new Map<string, number>();
        const failing = new Set<number>();
        return {
          onAccepted({ organizationId, acceptedAt }, request) {
            const isSoon = acceptedAt - (latest.get(organizationId) ?? -Infinity) < 1000;
            if (isSoon && keyOf(request, rules) === undefined) failing.add(request.turn);
            latest.set(organizationId, acceptedAt);
          },
          status: (status, { turn }) => (failing.has(turn) ? 500 : status),
          bodyText: (text, { turn }) =>
            failing.has(turn) ? '{"error":{"title":"Internal","detail":"Something went wrong."}}' : text,
        };
      },
    },
    'organization-locked-for-a-moment': {
      sentence: 'A message that is accepted locks its whole organization for 100 ms.',
      idle: neverTogether,
      alter: (rules) => ({
        rivals: ([chat], _request, all) =>
          all().filter(({ organizationId }) => organizationId === chat?.organizationId),
        busy: (exchange, now, request) =>
          exchange.chatId === request.ids.chatId
            ? rules.busy(exchange, now, request)
            : now >= exchange.acceptedAt && now < exchange.acceptedAt + 100,
      }),
    },
    'one-response-a-caller': {
      sentence: 'Only one response may be generating for each caller.',
      alter: () => {
        const callerOf = new Map<string, string | undefined>();
        const isOwn = ({ userId }: Exchange, name: string | undefined) => callerOf.get(userId) === name;
        return {
          onAccepted: ({ userId }, { caller }) => void callerOf.set(userId, caller?.name),
          rivals: ([chat], { caller }, all) =>
            all().filter((one) => one.id === chat?.id || one.exchanges.some((last) => isOwn(last, caller?.name))),
        };
      },
    },
    'other-organizations-locked': {
      sentence: 'While a response is generating, the chats of all other organizations refuse messages.',
      idle: neverTogether,
      alter: () => ({
        rivals: (chats, _request, all) => {
          const [chat] = chats;
          return [...chats, ...all().filter(({ organizationId }) => organizationId !== chat?.organizationId)];
        },
      }),
    },
    'three-responses-an-organization': {
      sentence: 'At most three responses may be generating in an organization.',
      idle: neverTogether,
      alter: (rules) => ({
        rivals: (chats, request, all) => {
          const [chat] = chats;
          const running = all().filter(({ organizationId, exchanges }) => {
            const isRunning = exchanges.some((exchange) => rules.busy(exchange, request.at, request));
            return organizationId === chat?.organizationId && isRunning;
          });
          return running.length < 3 ? chats : running;
        },
      }),
    },
    'lock-of-several-chats': {
      sentence: 'A chat has one of three locks, which is chosen by a hash of its ID.',
      idle: neverTogether,
      alter: () => ({
        rivals: ([chat], _request, all) => all().filter(({ id }) => hash(id) % 3 === hash(chat?.id ?? '') % 3),
      }),
    },
  },
  'conflict.ends': {
    'idle-chat-busy-for-another-admin': {
      sentence:
        'The lock of a chat stays with the caller who used it last, so it refuses another admin although it is idle.',
      // No busy chat shows what the error of one says.
      idle: { assistant: ['at-once'] },
      alter: (rules) => {
        const lastOf = new Map<string, { readonly userId: string; readonly name: string | undefined }>();
        return {
          onAccepted: ({ chatId, userId }, { caller }) => void lastOf.set(chatId, { userId, name: caller?.name }),
          busy: (exchange, now, request) => {
            const last = lastOf.get(exchange.chatId);
            const isAnothers = last?.userId === exchange.userId && last.name !== request.caller?.name;
            return isAnothers || rules.busy(exchange, now, request);
          },
        };
      },
    },
    'chat-lock-lingers-for-seconds': {
      sentence: 'The lock of a chat has a lifetime of three seconds, even if the response is finished sooner.',
      alter: (rules) => ({
        busy: (exchange, now, request) => now < exchange.acceptedAt + 3000 || rules.busy(exchange, now, request),
      }),
    },
  },
});
