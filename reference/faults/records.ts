import type { JsonObject } from '../json.ts';
import type { Fault } from '../variation.ts';

type Which = (place: number, record: JsonObject) => boolean;
type Change = (record: JsonObject) => JsonObject;

export const every: Which = () => true;

/** A few records on every page but the first of a small page size: a bug that a look at the first records misses. */
export const few: Which = (place) => place % 25 === 24;

/** One record on the third page of fifty. */
export const thirdPage: Which = (place) => place === 117;

/** Models that go out wrong. */
export function models(which: Which, change: Change): Fault['alter'] {
  return (rules) => ({
    modelShown(record, place, ask) {
      const shown = rules.modelShown(record, place, ask);
      return which(place, record) ? change(shown) : shown;
    },
  });
}

/** Data sources that go out wrong in the list. */
export function sources(which: Which, change: Change): Fault['alter'] {
  return (rules) => ({
    sourceShown(record, place, ask) {
      const shown = rules.sourceShown(record, place, ask);
      return which(place, record) ? change(shown) : shown;
    },
  });
}

/** A record without some of its fields. */
export function without(record: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

/** A record without the fields that are null, as a serialiser drops them that is told to be brief. */
export function withoutNulls(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
