import type { Request } from '../http/request.ts';
import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Section 4.6. */
export const deletionRules = {
  /** Milliseconds between finding a data source and deleting it; asked once it is found. */
  deletePauseMs(_request: Request): number {
    return 0;
  },
  /** The data sources that a deletion marks. */
  deletes(source: Item, _all: readonly Item[], _request: Request): readonly Item[] {
    return [source];
  },
  deleteStatus(_request: Request): number {
    return 200;
  },
  /** The record in the answer. */
  deletedRecord(record: JsonObject, _all: readonly Item[], _request: Request): JsonObject {
    return record;
  },
  deleteAnswer(record: JsonObject, _request: Request): JsonObject {
    return { data: record };
  },
  /** What a second deletion gives. */
  secondDelete(_request: Request): 'refuse' | 'again' {
    return 'refuse';
  },
  /** What deleting something that is not there gives. */
  unknownDelete(_request: Request): 'refuse' | 'pretend' {
    return 'refuse';
  },
  /** How long after a deletion the cleanup job has run. */
  cleanupMs(_request: Request): number {
    return 3000;
  },
  /** Whether the cleanup job removes a model over a deleted data source. */
  cleanupRemoves(_model: Item, _request: Request): boolean {
    return true;
  },
} as const;
