import { at, parseJson, stringAt } from '../../core/json.ts';

/** A larger body is not parsed again. */
const maxBytes = 4 * 1024 * 1024;

/** Bounds the items beside the pagination. */
const maxItems = 4;

/** Where in a JSON body something is, and its JSON. */
type Part = { readonly path: string; readonly text: string };

/** The parts of a list that a judgement reads: its pagination, and the items whose place or ID the verdict names. */
export function judgedParts(body: Uint8Array, judged: string): readonly Part[] {
  const json = body.length > maxBytes ? undefined : parseJson(body).value;
  const pagination = at(json, 'pagination');
  const data = at(json, 'data');
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const places = new Set([...judged.matchAll(/\bdata\[(\d{1,6})\]/g)].map(([, place]) => Number(place)));
  const named = items.flatMap((item, place) => {
    const id = stringAt(item, 'id');
    const isNamed = places.has(place) || (id !== undefined && judged.includes(JSON.stringify(id)));
    return isNamed ? [{ path: `data[${place}]`, text: JSON.stringify(item) }] : [];
  });
  return [
    ...(pagination === undefined ? [] : [{ path: 'pagination', text: JSON.stringify(pagination) }]),
    ...named.slice(0, maxItems),
  ];
}
