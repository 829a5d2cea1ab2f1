import type { Answer } from '../../core/exchange.ts';
import { listOperations } from '../../core/page.ts';
import { must } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { readLists } from '../../stage/lists/snapshot.ts';

/** Another client hardly deletes everything in so many of the attached organizations, and nothing in the others. */
const leastEmptied = 2;

/** Section 4.3 names the whole effect of an attachment: who pays for the organization, and its plan. */
export const dataKept: Check = check('attach.data-kept', { phase: 'last', uses: ['attachments'] }, async (api) => {
  for (const list of listOperations) await givenLists(api, list);
  await givenAcceptedAttachment(api);
  const { attachments, deletions } = usedUp(api.session);
  const attached = new Set(attachments.filter(({ certain }) => certain).map(({ organizationId }) => organizationId));
  // What this run deletes may be all that an organization has.
  for (const { organizationId } of deletions) attached.delete(organizationId);
  const emptied = await emptiedAmong(api, [...attached]);
  if (emptied.size === 0) return;
  const others = api.session.target.organizations.map(({ id }) => id).filter((id) => !attached.has(id));
  const names = [...emptied.keys()].join(', ');
  if (emptied.size < leastEmptied || (await emptiedAmong(api, others)).size > 0)
    throw new Blocked(
      `${names} lost all models or data sources: other traffic may have deleted them; run the suite against data that nothing else changes`,
    );
  const expected = 'the models and data sources of each attached organization as before';
  must(false, expected, `none in ${names}; no other organization lost all`, ...[...emptied.values()].flat());
});

/** The organizations of which a list that had items has none any more, each with both answers. */
async function emptiedAmong(api: Api, ids: readonly string[]): Promise<ReadonlyMap<string, readonly Answer[]>> {
  const emptied = new Map<string, readonly Answer[]>();
  for (const list of listOperations) {
    const before = await givenLists(api, list);
    for (const [id, now] of await readLists(api, list, ids)) {
      if (!now.complete || now.items.length > 0) continue;
      const [earlier] = before.find(({ organizationId }) => organizationId === id)?.walk.pages ?? [];
      const answers = [earlier, now.pages[0]].flatMap((page) => page?.answer ?? []);
      emptied.set(id, [...(emptied.get(id) ?? []), ...answers]);
    }
  }
  return emptied;
}
