import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { instantOf } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { listOperations, type Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { givenPageIn, requestPage, widest } from '../../stage/lists/pages.ts';
import { givenLaterPage } from './same-records.ts';

/** The pauses between three readings, in milliseconds. They differ, because a job that updates all records runs at regular times. */
const pausesMs = [5000, 7300] as const;

/**
 * The pauses between more readings, in milliseconds, where the times of updates have fractions of a second: a job that updates all records
 * each second updates them as much later as they are read later, but for less than a second.
 */
const shortPausesMs = [370, 610, 440] as const;

/** How far an update that a reading causes may be from that reading, in milliseconds, beyond the time that the reading took. */
const aroundMs = 50;

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
    if (id === undefined || !(await isUpdatedEachTime(api, fixture, third))) return;
    const [was, is] = [first, third].map((page) => describe(updatedIn(page, id)));
    const expected = `updatedAt ${was} of ${describe(id)}, as nothing but readings came between`;
    must(false, expected, `${is}, later by as much as each reading of any record`, first.answer, third.answer);
  }),
);

/** Waits until that many milliseconds have passed since the answer with a page. */
async function sinceReading({ session: { clock } }: Api, { answer }: Page, pauseMs: number): Promise<void> {
  await clock.sleep(Math.max(0, answer.exchange.receivedAt + pauseMs - clock.now()));
}

/** Whether each of several readings in a row updates the records. Times in whole seconds do not say. */
async function isUpdatedEachTime(api: Api, fixture: ListFixture, page: Page): Promise<boolean> {
  const { list, admin, organizationId } = fixture;
  if (page.items.every(({ id }) => (instantOf(updatedIn(page, id)) ?? 0) % 1000 === 0)) return true;
  let before = page;
  for (const pauseMs of shortPausesMs) {
    await sinceReading(api, before, pauseMs);
    const next = givenPageIn(fixture, await requestPage(api, list, as(admin), organizationId, widest));
    if (!isUpdatedBetween(before, next)) return false;
    before = next;
  }
  return true;
}

/** Whether the records of both pages were updated in the later one as much later as the two were answered apart. */
function isUpdatedBetween(one: Page, other: Page): boolean {
  const [{ exchange: first }, { exchange: second }] = [one.answer, other.answer];
  const leastMs = second.sentAt - first.receivedAt - aroundMs;
  const mostMs = second.receivedAt - first.sentAt + aroundMs;
  return other.items.every(({ id }) => {
    const [before, after] = [one, other].map((page) => instantOf(updatedIn(page, id)));
    if (before === undefined || after === undefined) return true;
    return after - before >= leastMs && after - before <= mostMs;
  });
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
