import type { Answer } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { listOperations } from '../../core/page.ts';
import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { readLists } from '../../stage/lists/snapshot.ts';

/** Another client hardly deletes everything in so many of the attached organizations, and nothing in the others. */
const leastEmptied = 2;

/** Section 4.3 names the whole effect of an attachment: who pays for the organization, and its plan. */
export const dataKept: Check = check('attach.data-kept', { phase: 'last', uses: ['attachments'] }, async (api) => {
  const { atLast } = await givenAcceptedAttachment(api);
  const { attachments, deletions } = usedUp(api.session);
  const attached = new Set(attachments.filter(({ certain }) => certain).map(({ organizationId }) => organizationId));
  // What this run deletes may be all that an organization has.
  const changed = new Set(deletions.map(({ organizationId }) => organizationId));
  const isAttached = (id: string): boolean => attached.has(id) && !changed.has(id);
  if ((await readAgain(api, isAttached)).every(({ items }) => items > 0)) return;
  await untilHeard(api, atLast);
  const emptied = (await readAgain(api, isAttached)).filter(({ items }) => items === 0);
  const names = [...new Set(emptied.map(({ organizationId }) => organizationId))];
  if (names.length === 0) return;
  const others = await readAgain(api, (id) => !attached.has(id) && !changed.has(id));
  if (names.length < leastEmptied || others.length === 0 || others.some(({ items }) => items === 0))
    throw new Blocked(
      `${names.join(', ')} lost all models or data sources: other traffic may have deleted them; run the suite against data that nothing else changes`,
    );
  const expected = 'the models and data sources of each attached organization as before';
  const actual = `none in ${names.join(', ')}, and some in every other organization`;
  must(false, expected, actual, ...emptied.flatMap(({ answers }) => answers));
});

/** A list that had items when the run began, with the number that it has now, and both answers. */
type ReadAgain = { readonly organizationId: string; readonly items: number; readonly answers: readonly Answer[] };

async function readAgain(api: Api, isWanted: (organizationId: string) => boolean): Promise<readonly ReadAgain[]> {
  const read: ReadAgain[] = [];
  // The demo data of a trial may end with it.
  const own = (await givenLists(api, 'listDataSources')).filter(({ walk }) =>
    walk.items.some(({ record }) => at(record, 'isDemo') !== true),
  );
  for (const list of listOperations) {
    const lasting = (await givenLists(api, list)).filter(
      ({ organizationId, walk }) =>
        isWanted(organizationId) && walk.items.length > 0 && own.some((one) => one.organizationId === organizationId),
    );
    const now = await readLists(
      api,
      list,
      lasting.map(({ organizationId }) => organizationId),
    );
    for (const { organizationId, walk } of lasting) {
      const later = now.get(organizationId);
      if (later?.complete !== true) continue;
      const answers = [walk.pages[0], later.pages[0]].flatMap((page) => page?.answer ?? []);
      read.push({ organizationId, items: later.items.length, answers });
    }
  }
  return read;
}
