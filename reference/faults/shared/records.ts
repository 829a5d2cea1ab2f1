import type { Place } from '../../data/item.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';

type Which = (place: Place, record: JsonObject) => boolean;
type Change = (record: JsonObject) => JsonObject;

export const every: Which = () => true;

/** One record in twenty-five, and the last of a short list, so that the first records do not show it. */
export const few: Which = ({ index, total }) => index % 25 === 24 || (total < 25 && index === total - 1);

/** One record, on the third page of fifty or at the end of a shorter list. */
export const thirdPage: Which = ({ index, total }) => index === Math.min(117, total - 1);

/** Models that are shown wrongly. */
export function models(which: Which, change: Change): Fault['alter'] {
  return () => ({ modelShown: (record, _request, place) => (which(place, record) ? change(record) : record) });
}

/** Data sources that are shown wrongly in the list. */
export function sources(which: Which, change: Change): Fault['alter'] {
  return () => ({ sourceShown: (record, _request, place) => (which(place, record) ? change(record) : record) });
}
