import { must } from '../../engine/answer.ts';
import { type Api, as, type Query } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { type Item, readPage } from '../../core/page.ts';
import { askedOf } from '../../core/route.ts';
import { sameJson } from '../../core/same-json.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { requestOnce, requestPage } from '../../stage/lists/pages.ts';
import { smallerPages } from './listed-records.ts';
import { filteredPages } from './model-records.ts';

/** What may be worked out anew at any time, so that no update is needed for a change. */
const inferred = ['columns', 'warnings'] as const;

/**
 * The order in which two pages are read again. What is worked out for each answer changes then, and so does what differs between
 * servers that take turns: in this order, no period fits both pages.
 */
const order = [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0] as const;

/** A page of more models than this is read again with lower limits, because 100 is the highest. */
const manyModels = 50;

/** A model, and the page that showed it. */
type Shown = { readonly item: Item; readonly answer: Answer };

/** Section 2.1: which page shows a model says nothing about its columns and warnings. */
export const sameColumns: Check = check('models.same-columns', async (api) => {
  const fixture = await givenLongestList(api, 'listModels', 2);
  const known = new Map(
    fixture.walk.pages.flatMap(({ items, answer }) => items.map((item) => [item.id, { item, answer }] as const)),
  );
  let compared = 0;
  const restless = new Set<string>();
  for (const answer of await otherPages(api, fixture)) {
    for (const item of readPage(answer)?.items ?? []) {
      const one = known.get(item.id);
      if (one === undefined || one.answer === answer) continue;
      compared += 1;
      const field = inferred.find((name) => !restless.has(name) && differs(name, one.item, item));
      if (field === undefined) continue;
      await mustNotBeThePage(api, fixture, field, one, { item, answer });
      restless.add(field);
    }
  }
  if (compared === 0) throw new Blocked('no model was shown on two pages');
});

/** Pages with other limits, cursors and filters of the same reader: another one may have other samples. */
async function otherPages(api: Api, fixture: ListFixture): Promise<readonly Answer[]> {
  const query = { cursor: fixture.walk.items[0]?.id ?? '', limit: 2 };
  return [
    ...(await smallerPages(api, fixture)),
    await requestOnce(api, fixture, query),
    ...(await filteredPages(api, fixture)),
  ];
}

/** Both pages are read again: a violation if each shows again and again what it showed. Otherwise the field changes on its own. */
async function mustNotBeThePage(
  api: Api,
  fixture: ListFixture,
  field: (typeof inferred)[number],
  one: Shown,
  other: Shown,
): Promise<void> {
  const shown = [one, other] as const;
  const again: Answer[] = [];
  for (const [step, place] of order.entries()) {
    const { item: before } = shown[place];
    const page = readPage(await readAgain(api, fixture, shown[place], 1 + Math.floor(step / 2)));
    const item = page?.items.find(({ id }) => id === before.id);
    if (page === undefined || item === undefined || differs(field, before, item)) return;
    again.push(page.answer);
  }
  const [was, is] = shown.map(({ item }) => describe(at(item.record, field)));
  const expected = `${field} ${was} of ${describe(one.item.id)} on every page`;
  const actual = `${is} on another page, whenever both are read again`;
  must(false, expected, actual, one.answer, other.answer, ...again.slice(0, 2));
}

/**
 * Each time with another limit that shows the model too: a page may be kept for some time, and a load balancer may send requests for
 * one page to one server. A page of one model or without a limit stays as it is, because it may be made by other code.
 */
function readAgain(api: Api, fixture: ListFixture, { item, answer }: Shown, by: number): Promise<Answer> {
  const { list, admin, organizationId } = fixture;
  const query: Query = Object.fromEntries(
    [...(askedOf(answer.exchange)?.query ?? [])].map(([name, [value = '']]) => [name, value]),
  );
  const limit = Number(query['limit'] ?? 1);
  if (limit === 1) return requestPage(api, list, as(admin), organizationId, query);
  const place = 1 + (readPage(answer)?.items.findIndex(({ id }) => id === item.id) ?? 0);
  const other = limit > manyModels ? Math.max(place, limit - by) : limit + by;
  return requestPage(api, list, as(admin), organizationId, { ...query, limit: other });
}

/** Whether a list of that name holds anything else, in any order: of columns and warnings, the specification names none. */
function differs(name: (typeof inferred)[number], { record }: Item, { record: again }: Item): boolean {
  const [one, other] = [at(record, name), at(again, name)];
  if (!Array.isArray(one) || !Array.isArray(other) || sameJson(one, other)) return false;
  if (one.length !== other.length) return true;
  return !one.every((part: unknown) => other.some((twin: unknown) => sameJson(part, twin)));
}
