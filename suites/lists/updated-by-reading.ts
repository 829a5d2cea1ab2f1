import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { instantOf } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { listOperations, type Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList } from '../../stage/lists/lists.ts';
import { givenPageIn, requestPage, widest } from '../../stage/lists/pages.ts';
import { givenLaterPage } from './same-records.ts';

/** The pauses between three readings, in milliseconds. They differ, because a job that updates all records runs at regular times. */
const pausesMs = [5000, 7300] as const;

/** How far from the time between two readings the time between two updates may be, in milliseconds: times may have whole seconds. */
const apartMs = 1500;

/** Sections 2.1 and 2.5: reading a record does not update it. */
export const updatedByReading: readonly Check[] = listOperations.map((list) =>
  check('paging.reading-is-no-update', { on: list, phase: 'later' }, async (api) => {
    const fixture = await givenLongestList(api, list, 1);
    const [first] = fixture.walk.pages;
    if (first === undefined) throw new Blocked('the list was not read');
    await sinceReading(api, first, pausesMs[0]);
    const second = await givenLaterPage(api, fixture);
    const updated = updatedMeanwhile(first, second);
    if (updated === undefined) throw new Blocked('no record shows an updatedAt whose instant is clear');
    if (updated.length === 0) return;
    await sinceReading(api, second, pausesMs[1]);
    const { admin, organizationId } = fixture;
    const third = givenPageIn(fixture, await requestPage(api, list, as(admin), organizationId, widest));
    const [id] = updatedMeanwhile(second, third) ?? [];
    if (id === undefined) return;
    const [was, is] = [first, third].map((page) => describe(updatedIn(page, id)));
    const expected = `updatedAt ${was} of ${describe(id)}, as nothing but readings came between`;
    must(false, expected, `${is}, later by as much as each reading of any record`, first.answer, third.answer);
  }),
);

/** Waits until that many milliseconds have passed since the answer with a page. */
async function sinceReading({ session: { clock } }: Api, { answer }: Page, pauseMs: number): Promise<void> {
  await clock.sleep(Math.max(0, answer.exchange.receivedAt + pauseMs - clock.now()));
}

function updatedIn(page: Page, id: string): unknown {
  return at(page.items.find((item) => item.id === id)?.record, 'updatedAt');
}

/**
 * The records of both pages, if each was updated as much later as it was read later, and otherwise none. Undefined if no record can be
 * compared.
 */
function updatedMeanwhile(one: Page, other: Page): readonly string[] | undefined {
  const betweenMs = other.answer.exchange.receivedAt - one.answer.exchange.receivedAt;
  const later = one.items.flatMap(({ id }) => {
    const [before, after] = [one, other].map((page) => instantOf(updatedIn(page, id)));
    return before === undefined || after === undefined ? [] : [{ id, ms: after - before }];
  });
  if (later.length === 0) return undefined;
  return later.every(({ ms }) => Math.abs(ms - betweenMs) <= apartMs) ? later.map(({ id }) => id) : [];
}
