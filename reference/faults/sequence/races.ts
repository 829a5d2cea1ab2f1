import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';

/** How long a look at the state is old when it is acted upon, in milliseconds. */
const pauseMs = 20;

/** Rows that a lock on one keeps from being read, on each side of it. */
const lockedBeside = 2;

/** What goes wrong only where requests overlap. */
export const raceFaults: readonly Fault[] = [
  {
    name: 'deletion-shows-the-first',
    breaks: 'delete.record',
    sentence:
      'The record for the answer is prepared once and kept: each later deletion is answered with that of the first.',
    alter: (rules) => {
      let first: JsonObject | undefined;
      return {
        deletedRecord: (record, all, request) => (first ??= rules.deletedRecord(record, all, request)),
      };
    },
  },
  {
    name: 'attached-read-then-counted',
    breaks: 'attach.twice',
    sentence: 'Whether an organization is attached is looked up 20 ms before it is attached and counted.',
    alter: () => ({
      attachPauseMs: () => pauseMs,
      attachmentCounts: (id, before) => !before.includes(id),
      organizationCount: (_owner, attachments) => 1 + attachments.length,
    }),
  },
  {
    name: 'attached-written-as-one',
    breaks: 'attach.count',
    sentence:
      'The attached organizations are one document: read, added to, and written 20 ms later over what came meanwhile.',
    alter: (rules) => {
      const documents = new Map<string, readonly string[]>();
      const read = new Map<number, readonly string[]>();
      return {
        attachPauseMs: (request) => {
          read.set(request.turn, documents.get(request.ids.accountId) ?? []);
          return pauseMs;
        },
        attachAnswer: (account, organizationId, request) => {
          documents.set(request.ids.accountId, [...(read.get(request.turn) ?? []), organizationId]);
          return rules.attachAnswer(account, organizationId, request);
        },
        organizationCount: (owner, _attachments, request) =>
          rules.organizationCount(owner, documents.get(request.ids.accountId) ?? [], request),
      };
    },
  },
  {
    name: 'deletions-written-as-one',
    breaks: 'delete.gone-or-marked',
    sentence:
      'The deleted IDs of an organization are one document: of two deletions at once the later one overwrites the other.',
    alter: (rules) => {
      let document: ReadonlySet<string> = new Set();
      const read = new Map<number, ReadonlySet<string>>();
      return {
        deletePauseMs: (request) => {
          read.set(request.turn, document);
          return pauseMs;
        },
        deletes: (source, all, request) => {
          document = new Set([...(read.get(request.turn) ?? document), source.id]);
          return rules.deletes(source, all, request);
        },
        deletedListed: (source, deletedAt, request) =>
          !document.has(source.id) || rules.deletedListed(source, deletedAt, request),
        deletedMark: (record, deletedAt, request) =>
          document.has(String(record['id'])) ? rules.deletedMark(record, deletedAt, request) : record,
      };
    },
  },
  {
    name: 'list-skips-locked-rows',
    breaks: 'delete.others-untouched',
    sentence: 'A deletion locks the rows beside its own, and a list that is read meanwhile skips what is locked.',
    // Of few requests a second, none may come while another one is carried out.
    idle: { 'rate-quota': ['20-in-1s'] },
    alter: (rules) => {
      const locked = new Map<number, string>();
      return {
        deletePauseMs: (request) => {
          locked.set(request.turn, request.ids.sourceId);
          return pauseMs;
        },
        deletes: (source, all, request) => {
          locked.delete(request.turn);
          return rules.deletes(source, all, request);
        },
        sourcesOf: (own, foreign, request) => {
          const all = rules.sourcesOf(own, foreign, request);
          const places = [...locked.values()].map((id) => all.findIndex((source) => source.id === id));
          if (places.length === 0) return all;
          const isLocked = (place: number): boolean => places.some((at) => Math.abs(at - place) <= lockedBeside);
          return all.filter((_, place) => !isLocked(place));
        },
      };
    },
  },
  {
    name: 'deletion-met-by-another-500',
    breaks: 'delete.twice-no-5xx',
    sentence: 'A deletion that finds its row being deleted ends in a deadlock that nobody handles.',
    alter: (rules) => {
      const under = new Map<string, number>();
      return {
        deletePauseMs: (request) => {
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
];
