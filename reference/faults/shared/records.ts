import type { Place } from '../../data/item.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';

type Which = (place: Place, record: JsonObject) => boolean;
type Change = (record: JsonObject) => JsonObject;

export const every: Which = () => true;

/** One record in twenty-five, and the last of a short list: a look at the first records misses it. */
export const few: Which = ({ index, total }) => index % 25 === 24 || (total < 25 && index === total - 1);

/** One record, on the third page of fifty or at the end of a shorter list. */
export const thirdPage: Which = ({ index, total }) => index === Math.min(117, total - 1);

/** Models that go out wrong. */
export function models(which: Which, change: Change): Fault['alter'] {
  return (rules) => ({
    modelShown(record, place, request) {
      const shown = rules.modelShown(record, place, request);
      return which(place, record) ? change(shown) : shown;
    },
  });
}

/** Data sources that go out wrong in the list. */
export function sources(which: Which, change: Change): Fault['alter'] {
  return (rules) => ({
    sourceShown(record, place, request) {
      const shown = rules.sourceShown(record, place, request);
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
