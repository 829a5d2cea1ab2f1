import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { neverOutlastsWait } from '../shared/idle.ts';
import { on } from '../shared/requests.ts';

/** Something goes wrong between two nodes. */
function betweenNodes(alter: (rules: Rules) => Altered): Fault['alter'] {
  return (rules) => ({ ...alter(rules), entryPoints: () => Math.max(2, rules.entryPoints()) });
}

/** The node that first had to do with something. */
function nodesOf() {
  const nodes = new Map<string, number>();
  return {
    note(id: string, { node }: Request): void {
      if (!nodes.has(id)) nodes.set(id, node);
    },
    isElsewhere: (id: string, { node }: Request) => nodes.get(id) !== node,
    isHere: (id: string, { node }: Request) => (nodes.get(id) ?? node) === node,
  };
}

function isSecond({ node }: Request): boolean {
  return node > 0;
}

/** What goes wrong only where a deployment has several nodes. */
export const nodeFaults = faultsOf({
  'messages.immediate': {
    'second-node-holds': {
      sentence:
        'One node, whose version has a default for wait, holds a message without wait until its response is finished.',
      idle: { assistant: neverOutlastsWait },
      alter: betweenNodes((rules) => ({
        heldMs: (wait, remainingMs, request) =>
          wait === undefined && isSecond(request) ? remainingMs : rules.heldMs(wait, remainingMs, request),
      })),
    },
  },
  'auth.unknown-key': {
    'second-node-knows-no-revocation': {
      sentence: 'One node accepts every key, because its list of keys is not loaded.',
      alter: betweenNodes((rules) => ({
        callerOfToken: (token, callers, request) =>
          rules.callerOfToken(token, callers, request) ?? (isSecond(request) ? [...callers.values()][0] : undefined),
      })),
    },
  },
  'access.denied': {
    'second-node-checks-no-roles': {
      sentence: 'One node still runs a version that does not check roles.',
      alter: betweenNodes((rules) => ({
        isAdmin: (caller, id, request) =>
          rules.isAdmin(caller, id, request) || (isSecond(request) && caller !== undefined),
      })),
    },
  },
  'paging.default-limit': {
    'second-node-has-other-default': {
      sentence: 'One node is configured with a default limit of 20.',
      idle: { models: ['0', '1', '3'], sources: ['0', '1', '3'] },
      alter: betweenNodes((rules) => ({
        readLimit: (text, request) => (text === undefined && isSecond(request) ? 20 : rules.readLimit(text, request)),
      })),
    },
  },
  'paging.newest-first': {
    'second-node-sorts-the-other-way': {
      sentence: 'One node has no index on the creation date and returns the oldest items first.',
      alter: betweenNodes(() => ({
        sequence: (items, request) => (isSecond(request) ? items.toReversed() : items),
      })),
    },
  },
  'paging.walk': {
    'cursor-of-the-other-node': {
      sentence: 'The position of a cursor is kept in the memory of the node that issued it; others begin again.',
      alter: betweenNodes((rules) => {
        const cursors = nodesOf();
        return {
          nextCursor(page, hasMore, following, request) {
            const cursor = rules.nextCursor(page, hasMore, following, request);
            if (cursor !== null) cursors.note(cursor, request);
            return cursor;
          },
          pageStart: (start, request) =>
            cursors.isElsewhere(request.query.get('cursor')?.[0] ?? '', request) ? 0 : start,
        };
      }),
    },
  },
  'models.required-fields': {
    'second-node-is-older': {
      sentence: 'One node still runs the previous version, whose models have no warnings.',
      idle: { models: ['0'] },
      alter: betweenNodes(() => ({
        modelShown: (record, request) => {
          if (!isSecond(request)) return record;
          const { warnings: _, ...older } = record;
          return older;
        },
      })),
    },
  },
  'delete.gone-or-marked': {
    'deleted-on-one-node': {
      sentence: 'A node that cached the list keeps showing what another node deleted.',
      idle: { 'deleted-sources': ['deleted-at', 'is-deleted', 'status'] },
      alter: betweenNodes((rules) => {
        const deletions = nodesOf();
        return {
          onDeleted: ({ id }, request) => deletions.note(id, request),
          deletedListed: (item, deletedAt, request) =>
            rules.deletedListed(item, deletedAt, request) ||
            (on('listDataSources')(request) && deletions.isElsewhere(item.id, request)),
        };
      }),
    },
  },
  'wait.holds': {
    'second-node-ignores-wait': {
      sentence: 'One node ignores wait and answers at once.',
      alter: betweenNodes((rules) => ({
        heldMs: (wait, remainingMs, request) => (isSecond(request) ? 0 : rules.heldMs(wait, remainingMs, request)),
      })),
    },
  },
  'idempotency.after': {
    'keys-of-each-node': {
      sentence: 'Each node keeps its idempotency keys in its own memory.',
      alter: betweenNodes((rules) => ({
        keyScope: (caller, chatId, key, request) => `${request.node} ${rules.keyScope(caller, chatId, key, request)}`,
      })),
    },
  },
  'idempotency.while-generating': {
    'running-key-of-another-node': {
      sentence: 'A key becomes known to other nodes when its response is finished; before that they answer 409.',
      alter: betweenNodes(() => {
        const messages = nodesOf();
        return {
          onAccepted: ({ assistantId }, request) => messages.note(assistantId, request),
          keyKnown: (isKnown, request, { assistantId }, finished) =>
            isKnown && (finished || messages.isHere(assistantId, request)),
        };
      }),
    },
  },
  'conflict.refused': {
    'chat-lives-on-one-node': {
      sentence: 'A chat is known only to the node that received its first message; others answer 404.',
      alter: betweenNodes((rules) => {
        const chats = nodesOf();
        return {
          onAccepted: ({ chatId }, request) => chats.note(chatId, request),
          belongsToPath: (owner, organization, request) =>
            rules.belongsToPath(owner, organization, request) && chats.isHere(request.ids.chatId, request),
        };
      }),
    },
    'lock-of-each-node': {
      sentence: 'The lock of a chat is a mutex in the memory of each node.',
      alter: betweenNodes((rules) => {
        const messages = nodesOf();
        return {
          onAccepted: ({ assistantId }, request) => messages.note(assistantId, request),
          busy: (exchange, now, request) =>
            rules.busy(exchange, now, request) && messages.isHere(exchange.assistantId, request),
        };
      }),
    },
  },
  'attach.count': {
    'attached-on-one-node': {
      sentence: 'organizationCount is kept in the memory of each node, and counts only what was attached through it.',
      alter: betweenNodes((rules) => {
        const attachments = nodesOf();
        return {
          onAttached: (id, request) => attachments.note(id, request),
          organizationCount: (owner, attached, request) =>
            rules.organizationCount(
              owner,
              attached.filter((id) => attachments.isHere(id, request)),
              request,
            ),
        };
      }),
    },
  },
  'errors.body': {
    'second-node-has-error-pages': {
      sentence: 'One node answers errors with the page of its web server.',
      alter: betweenNodes((rules) => ({
        bodyText: (text, request, status) =>
          isSecond(request) && status >= 400 ? `<html><h1>${status}</h1></html>` : text,
        headers: (status, request) =>
          isSecond(request) && status >= 400 ? { 'content-type': 'text/html' } : rules.headers(status, request),
      })),
    },
  },
});
