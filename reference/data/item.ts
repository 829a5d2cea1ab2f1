import type { JsonObject } from '../http/json.ts';

/** A record of a list, with its JSON text. Both are created on first use and shared by worlds with the same data. */
export type Item = {
  readonly id: string;
  readonly createdAtMs: number;
  /** The data source of a model; its own ID for a data source. */
  readonly sourceId: string;
  readonly organizationId: string;
  readonly record: JsonObject;
  readonly text: string;
};

/** An item whose record is created on first use: most worlds of a proof show only a few records. */
export function lazyItem(known: Omit<Item, 'record' | 'text'>, make: () => JsonObject): Item {
  let record: JsonObject | undefined;
  let text: string | undefined;
  return {
    ...known,
    get record() {
      record ??= make();
      return record;
    },
    get text() {
      text ??= JSON.stringify(this.record);
      return text;
    },
  };
}

/** The place of an item in a list, counted from 0 for the newest, and the length of the list. */
export type Place = { readonly index: number; readonly total: number };

/** Newest first; among equal creation times by ID, so that every walk gives one sequence. */
export function newestFirst(left: Item, right: Item): number {
  if (left.createdAtMs !== right.createdAtMs) return right.createdAtMs - left.createdAtMs;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}
