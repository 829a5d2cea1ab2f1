import type { Request } from '../../http/request.ts';
import type { Entry } from '../../state/journal.ts';
import type { Fault } from '../../variation.ts';
import { afterOutages, type Outages } from '../shared/after-outages.ts';
import { endless, undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, withoutParents } from '../shared/idle.ts';

/** The other node has no entry of that kind. */
function unreplicated(kind: Entry['kind'], youngerMs = Number.POSITIVE_INFINITY): Fault['alter'] {
  return () => ({
    restored: (entry, ageMs, outage) =>
      outage === 'failover' && entry?.kind === kind && ageMs < youngerMs ? undefined : entry,
  });
}

/** An attachment that is repeated is counted again. */
function countedAgain(when: (outages: Outages, at: number) => boolean): Fault['alter'] {
  return afterOutages((outages, rules) => {
    const more = new Map<string, number>();
    const moreIn = ({ ids }: Request): number => more.get(ids.accountId) ?? 0;
    return {
      onAttached: (id, request, before) => {
        if (before.includes(id) && when(outages, request.at)) more.set(request.ids.accountId, moreIn(request) + 1);
      },
      organizationCount: (owner, attachments, request) =>
        rules.organizationCount(owner, attachments, request) + moreIn(request),
    };
  });
}

const refusedAgain = { 'attach-again': ['refuse'], 'attached-by-others': ['now-and-then', 'all-the-time'] };

/** Choices under which no answer shows a response in progress for long enough. */
const neverSeenRunning = {
  ...firstAnswerRepeated,
  assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'always-300-ms', 'always-1-s', 'moody'],
  pace: ['sluggish'],
};

/** The choice under which requests may be refused after the clock was moved back. */
const windowsByTheClock = { clock: ['wall'] };

/** Choices under which a message that meets a pause gets no answer. */
const unanswered = { pause: ['lost', 'gateway', 'unanswered'] };

/** What is right until the deployment is paused, another node takes over, or its clock is moved. */
export const outageFaults = faultsOf({
  'paging.any-id-is-cursor': {
    'cursor-from-the-future': {
      sentence: 'A cursor is stored with the time on the clock, and not known before that time.',
      idle: { models: ['0', '1'], ids: ['per-organization'], ...windowsByTheClock },
      alter: afterOutages(({ wall }) => {
        const issuedAt = new Map<unknown, number>();
        return {
          pagination: (meta, { at }) => {
            issuedAt.set(meta['nextCursor'], wall(at));
            return meta;
          },
          cursor: (cursor, { at }) => ((issuedAt.get(cursor) ?? 0) > wall(at) ? `${cursor}-` : cursor),
        };
      }),
    },
  },
  'delete.gone-or-marked': {
    'pause-fills-cache-anew': {
      sentence: 'After a pause the list comes from a snapshot that is older than the deletions.',
      alter: afterOutages(({ latest }, rules) => undeleted((_id, { at }) => at >= latest('pause'))(rules)),
    },
    'deletion-in-the-future': {
      sentence: 'A data source is deleted if deletedAt is in the past, so it returns when the clock is moved back.',
      idle: windowsByTheClock,
      alter: afterOutages(({ movedBy }, rules) => undeleted((_id, { at }) => movedBy(at) < 0)(rules)),
    },
  },
  'idempotency.after': {
    'keys-expire-in-pause': {
      sentence: 'Keys are stored in a cache that drops its connection, and its content, during a pause.',
      alter: afterOutages(({ latest }) => ({
        keyKnown: (isKnown, { at }, { acceptedAt }) =>
          isKnown && !(acceptedAt < latest('pause') && at >= latest('pause')),
      })),
    },
    'key-from-the-future': {
      sentence: 'A key counts from the time on the clock when it was stored, so it is not known before.',
      idle: windowsByTheClock,
      alter: afterOutages(({ wall }) => ({
        keyKnown: (isKnown, { at }, { acceptedAt }) => isKnown && wall(acceptedAt) <= wall(at),
      })),
    },
  },
  'idempotency.no-duplicate': {
    'pause-delivers-again': {
      sentence: 'A queue delivers repeated messages again that were not confirmed because of a pause.',
      idle: { ...withoutParents, ...unanswered },
      alter: afterOutages(({ met }) => ({ startsAgain: (starts, request) => starts || met(request) })),
    },
    'new-node-answers-again': {
      sentence: 'A node that takes over answers a repeated message of the old node once more.',
      idle: { ...withoutParents, outage: ['slowly'] },
      alter: afterOutages(({ latest }) => ({
        startsAgain: (starts, { at }, { acceptedAt }) =>
          starts || (acceptedAt < latest('failover') && at >= latest('failover')),
      })),
    },
  },
  'conflict.refused': {
    'lock-lost-in-pause': {
      sentence: 'The lock of a chat expires during a pause, and messages that waited do not take it again.',
      idle: { ...neverSeenRunning, ...unanswered, 'rate-window': ['spaced'] },
      alter: afterOutages(({ met }) => ({ rivals: (chats, request) => (met(request) ? [] : chats) })),
    },
    'lock-on-old-node': {
      sentence: 'The lock of a chat is in the memory of the node that failed.',
      idle: { ...neverSeenRunning, outage: ['ends', 'slowly'] },
      alter: afterOutages(({ latest }) => ({
        rivals: (chats, { at }) =>
          chats.map((chat) => ({
            ...chat,
            exchanges: chat.exchanges.filter((one) => at < latest('failover') || one.acceptedAt >= latest('failover')),
          })),
      })),
    },
    'locks-gone-since-restart': {
      sentence:
        'The store of the locks of chats is not connected again after a restart, so nothing locks a chat any more.',
      idle: neverSeenRunning,
      alter: afterOutages(({ latest }) => ({ rivals: (chats, { at }) => (at >= latest('restart') ? [] : chats) })),
    },
    'lock-expires-by-the-clock': {
      sentence: 'The lock of a chat expires after four minutes on the clock.',
      idle: { ...neverSeenRunning, ...windowsByTheClock },
      alter: afterOutages(({ wall }) => ({
        rivals: (chats, { at }) =>
          chats.map((chat) => ({
            ...chat,
            exchanges: chat.exchanges.filter(({ acceptedAt }) => wall(at) - wall(acceptedAt) < 240_000),
          })),
      })),
    },
  },
  'attach.twice': {
    'pause-attaches-again': {
      sentence: 'After a pause an attachment is not found in the cache, so it is counted again when it is repeated.',
      idle: refusedAgain,
      alter: countedAgain(({ latest }, at) => at >= latest('pause')),
    },
    'new-node-attaches-again': {
      sentence: 'A node that takes over counts an attachment again when it is repeated.',
      idle: refusedAgain,
      alter: countedAgain(({ latest }, at) => at >= latest('failover')),
    },
    'attachment-in-the-future': {
      sentence: 'An attachment is in force from its time on the clock, and counted again when it is repeated before.',
      idle: { ...refusedAgain, ...windowsByTheClock },
      alter: countedAgain(({ movedBy }, at) => movedBy(at) < 0),
    },
  },
  'rate.honest': {
    'window-ends-by-the-clock': {
      sentence: 'A window that began before the clock was moved back does not end.',
      idle: {
        'rate-quota': ['none'],
        'rate-scope': ['writes'],
        'rate-window': ['sliding', 'spaced'],
        ...windowsByTheClock,
      },
      alter: afterOutages(({ movedBy }, rules) => ({
        rateWindowAt: (last, now, windowMs, quota, request) =>
          last !== undefined && movedBy(now) < movedBy(last.startedAt)
            ? last
            : rules.rateWindowAt(last, now, windowMs, quota, request),
      })),
    },
  },
  'durability.messages': {
    'replica-seconds-behind': {
      sentence: 'The other node gets messages ten seconds later.',
      idle: withoutParents,
      alter: unreplicated('message', 10_000),
    },
    'thread-lost-in-pause': {
      sentence: 'The thread of a chat is in a cache that expires during a pause, so the next message begins a new one.',
      idle: withoutParents,
      alter: afterOutages(({ latest }, rules) => ({
        parentOfUser: (previous, request) => {
          const isLost = (previous?.acceptedAt ?? 0) < latest('pause') && request.at >= latest('pause');
          return isLost ? null : rules.parentOfUser(previous, request);
        },
      })),
    },
  },
  'durability.keys': {
    'keys-on-old-node': {
      sentence: 'Idempotency keys are stored only on the node that got them.',
      alter: () => ({
        restored: (entry, _ageMs, outage) =>
          outage === 'failover' && entry?.kind === 'message' ? { ...entry, scope: undefined } : entry,
      }),
    },
  },
  'durability.chats': {
    'busy-since-pause': {
      sentence: 'A response that was generating during a pause never releases its chat.',
      idle: { assistant: ['at-once', 'slow-is-quick'] },
      alter: afterOutages(({ latest }, rules) => ({
        busy: (exchange, now, request) =>
          rules.busy(exchange, now, request) ||
          (exchange.acceptedAt < latest('pause') && exchange.finishesAt >= latest('pause')),
      })),
    },
    'response-of-failed-node': {
      sentence: 'A response that the failed node was generating is never finished, so its chat stays busy.',
      idle: { assistant: ['at-once', 'slow-is-quick'] },
      alter: endless('failover'),
    },
    'response-waits-for-the-clock': {
      sentence: 'A response ends at a time on the clock, so its chat stays busy when the clock is moved back.',
      idle: { assistant: ['at-once', 'slow-is-quick'], ...windowsByTheClock },
      alter: afterOutages(({ movedBy }, rules) => ({
        busy: (exchange, now, request) =>
          rules.busy(exchange, now, request) || now + movedBy(now) < exchange.finishesAt + movedBy(exchange.acceptedAt),
      })),
    },
  },
  'durability.deletions': {
    'deletions-on-old-node': {
      sentence: 'Deletions are replicated once a day, so the other node shows the data sources.',
      alter: unreplicated('deletion'),
    },
  },
  'durability.attachments': {
    'attachments-on-old-node': {
      sentence: 'Attachments are replicated once a day, so the other node does not count them.',
      alter: unreplicated('attachment'),
    },
  },
});
