import type { Ask } from '../http/ask.ts';
import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Section 4.6. */
export const deletionRules = {
  /** Milliseconds between finding a data source and deleting it; asked once it is found. */
  deletePauseMs(_ask: Ask): number {
    return 0;
  },
  /** The data sources that a deletion marks. */
  deletes(source: Item, _all: readonly Item[], _ask: Ask): readonly Item[] {
    return [source];
  },
  deleteStatus(_ask: Ask): number {
    return 200;
  },
  /** The record in the answer. */
  deletedRecord(record: JsonObject, _all: readonly Item[], _ask: Ask): JsonObject {
    return record;
  },
  deleteAnswer(record: JsonObject, _ask: Ask): JsonObject {
    return { data: record };
  },
  /** What a second deletion gives. */
  secondDelete(_ask: Ask): 'refuse' | 'again' {
    return 'refuse';
  },
  /** What deleting something that is not there gives. */
  unknownDelete(_ask: Ask): 'refuse' | 'pretend' {
    return 'refuse';
  },
  /** How long after a deletion the cleanup job has run. */
  cleanupMs(_ask: Ask): number {
    return 3000;
  },
  /** Whether the cleanup job removes a model over a deleted data source. */
  cleanupRemoves(_model: Item, _ask: Ask): boolean {
    return true;
  },
} as const;
