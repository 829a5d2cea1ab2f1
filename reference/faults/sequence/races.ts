import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';
import { undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** Milliseconds between reading the state and changing it. */
const pauseMs = 20;

/** How many rows on each side of a locked row cannot be read. */
const lockedBeside = 2;

/** What goes wrong only where requests overlap. */
export const raceFaults = faultsOf({
  'access.granted': {
    'refusal-of-the-neighbour': {
      sentence: 'Whether a caller is admin is kept in a variable that requests at the same instant share.',
      alter: (rules) => {
        let refused = { at: Number.NaN, organizationId: '' };
        return {
          isAdmin: (caller, organizationId, request) => {
            const { at } = request;
            if (caller !== undefined && refused.at === at && refused.organizationId === organizationId) return false;
            if (rules.isAdmin(caller, organizationId, request)) return true;
            refused = { at, organizationId };
            return false;
          },
        };
      },
    },
  },
  'access.denied': {
    'role-of-the-neighbour': {
      sentence: 'The roles of a caller are kept in a variable that requests at the same instant share.',
      alter: (rules) => {
        let admitted = { at: Number.NaN, organizationId: '' };
        return {
          isAdmin: (caller, organizationId, request) => {
            const { at } = request;
            if (caller !== undefined && admitted.at === at && admitted.organizationId === organizationId) return true;
            if (!rules.isAdmin(caller, organizationId, request)) return false;
            admitted = { at, organizationId };
            return true;
          },
        };
      },
    },
  },
  'access.attach-needs-a-role': {
    'attachment-by-the-neighbour': {
      sentence: 'Who attaches is kept in a variable that attachments at the same instant share.',
      idle: { 'attach-again': ['refuse'] },
      alter: (rules) => {
        let admittedAt = Number.NaN;
        return {
          allowed: (roles, request) => {
            if (!on('attachOrganization')(request)) return rules.allowed(roles, request);
            if (rules.allowed(roles, request)) admittedAt = request.at;
            return admittedAt === request.at;
          },
        };
      },
    },
  },
  'messages.text': {
    'text-of-the-neighbour': {
      sentence: 'The text of a message is kept in a variable that messages at the same instant share.',
      idle: { 'rate-window': ['spaced'], 'key-required': ['yes'] },
      alter: () => {
        let first = { at: Number.NaN, text: '' };
        return {
          messageText: (text, { at }) => {
            if (first.at !== at) first = { at, text };
            return first.text;
          },
        };
      },
    },
  },
  'delete.record': {
    'deletion-shows-the-first': {
      sentence: 'The record in the answer is prepared once, so every later deletion returns the record of the first.',
      alter: () => {
        let first: JsonObject | undefined;
        return { deletedRecord: (record) => (first ??= record) };
      },
    },
  },
  'attach.success': {
    'attachments-meet-in-500': {
      sentence:
        'Only one of several transactions that attach at the same time can be serialized; the others end in a 500.',
      alter: (rules) => {
        let open = 0;
        const failing = new Set<number>();
        return {
          pauseMs: (ms, request) => {
            if (!on('attachOrganization')(request)) return ms;
            open += 1;
            if (open > 1) failing.add(request.turn);
            return pauseMs;
          },
          attachmentCounts: (counts) => counts && open === 0,
          attachStatus: (again, request) => {
            open -= 1;
            return failing.has(request.turn) ? 500 : rules.attachStatus(again, request);
          },
          attachAnswer: (account, organizationId, request) =>
            failing.has(request.turn)
              ? { error: { title: 'InternalServerError', detail: 'The transaction could not be serialized.' } }
              : rules.attachAnswer(account, organizationId, request),
        };
      },
    },
  },
  'attach.twice': {
    'attached-read-then-counted': {
      sentence: 'There is a gap of 20 ms between checking whether an organization is attached and counting it.',
      alter: () => ({
        pauseMs: (ms, request) => (on('attachOrganization')(request) ? pauseMs : ms),
        attachmentCounts: (_counts, _request, id, before) => !before.includes(id),
        organizationCount: (_owner, attachments) => 1 + attachments.length,
      }),
    },
  },
  'attach.count': {
    'attached-written-as-one': {
      sentence: 'The attached organizations are one document, which is read and 20 ms later overwritten.',
      alter: writtenAsOne(0),
    },
    'attached-written-as-one-with-others': {
      sentence: 'The same, in an account that bills one more organization from the start.',
      alter: writtenAsOne(1),
    },
    'attached-written-as-one-with-more': {
      sentence: 'The same, in an account that bills four more organizations from the start.',
      idle: { workers: ['2'], 'attach-again': ['refuse'], 'rate-window': ['spaced'] },
      alter: writtenAsOne(4),
    },
  },
  'delete.gone-or-marked': {
    'deletions-written-as-one': {
      sentence: 'The deleted IDs of an organization are one document, which simultaneous deletions overwrite.',
      alter: (rules) => {
        let document: ReadonlySet<string> = new Set();
        const read = new Map<number, ReadonlySet<string>>();
        return {
          pauseMs: (ms, request) => {
            if (!on('deleteDataSource')(request)) return ms;
            read.set(request.turn, document);
            return pauseMs;
          },
          onDeleted: ({ id }, { turn }) => {
            document = new Set([...(read.get(turn) ?? document), id]);
          },
          ...undeleted((id) => !document.has(id))(rules),
        };
      },
    },
  },
  'delete.others-untouched': {
    'list-skips-locked-rows': {
      sentence: 'A deletion locks neighbouring rows, and a list that is read at the same time skips locked rows.',
      // Of few requests a second, none may come while another one is carried out.
      idle: { 'rate-quota': ['20-in-1s'] },
      alter: () => {
        const locked = new Map<number, string>();
        return {
          pauseMs: (ms, request) => {
            if (!on('deleteDataSource')(request)) return ms;
            locked.set(request.turn, request.ids.sourceId);
            return pauseMs;
          },
          onDeleted: (_source, { turn }) => void locked.delete(turn),
          sources: (all) => {
            const places = [...locked.values()].map((id) => all.findIndex((source) => source.id === id));
            if (places.length === 0) return all;
            const isLocked = (place: number): boolean => places.some((at) => Math.abs(at - place) <= lockedBeside);
            return all.filter((_, place) => !isLocked(place));
          },
        };
      },
    },
  },
  'delete.twice-no-5xx': {
    'deletion-met-by-another-500': {
      sentence: 'Two simultaneous deletions of a data source end in an unhandled deadlock.',
      alter: (rules) => {
        const under = new Map<string, number>();
        return {
          pauseMs: (ms, request) => {
            if (!on('deleteDataSource')(request)) return ms;
            under.set(request.ids.sourceId, (under.get(request.ids.sourceId) ?? 0) + 1);
            return pauseMs;
          },
          deleteStatus: (request) => {
            const left = (under.get(request.ids.sourceId) ?? 1) - 1;
            under.set(request.ids.sourceId, left);
            return left > 0 ? 500 : rules.deleteStatus(request);
          },
        };
      },
    },
  },
});

/** Simultaneous attachments overwrite each other. `others` are billed through the account from the start. */
function writtenAsOne(others: number): Fault['alter'] {
  return (rules) => {
    const documents = new Map<string, readonly string[]>();
    const read = new Map<number, readonly string[]>();
    return {
      pauseMs: (ms, request) => {
        if (!on('attachOrganization')(request)) return ms;
        read.set(request.turn, documents.get(request.ids.accountId) ?? []);
        return pauseMs;
      },
      attachAnswer: (account, organizationId, request) => {
        documents.set(request.ids.accountId, [...(read.get(request.turn) ?? []), organizationId]);
        return rules.attachAnswer(account, organizationId, request);
      },
      organizationCount: (owner, _attachments, request) =>
        others + rules.organizationCount(owner, documents.get(request.ids.accountId) ?? [], request),
    };
  };
}
