import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Check, CheckOptions } from '../../engine/check.ts';
import { outageKinds } from '../../core/outages.ts';
import { type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { requiredFields } from '../../promises/model-shapes.ts';
import { filteredModels } from '../../promises/models.ts';
import { recordsIn } from '../../promises/records.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { isListed } from '../../stage/deletion/still-listed.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import type { Settled } from '../../engine/settled.ts';
import { isGone } from '../lists/is-gone.ts';
import { sourceIdOf } from '../models/model-filters.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { afterOutage, type Judge } from './durability.ts';
import type { Outage } from './outage.ts';
import { lastingIn, showsTheSame, showsTheSameLater } from './reads.ts';

const ofSources = { on: 'listDataSources' } as const;

/** A check of each kind of outage: reading needs nothing that an outage may lose. */
function afterEach(id: RequirementId, options: CheckOptions, judge: Judge): readonly Check[] {
  return outageKinds.map((kind) => afterOutage(id, kind, { ...options, variant: kind, extended: true }, judge));
}

/** Keys, roles, filters and cursors mean the same after an outage. */
export const stillRead: readonly Check[] = [
  ...afterEach('auth.unknown-key', ofSources, (_api, { name, reads }) => {
    mustNotSucceed(resultOf(reads.refused).unknown, `for a key that was never issued, after ${name}`);
  }),
  ...afterEach('access.denied', ofSources, (_api, { name, reads }) => {
    const { denied } = resultOf(reads.refused);
    if (denied.length === 0) throw new Blocked('no list was refused to a principal and shown to its admin');
    for (const { principal, answer } of denied)
      mustNotSucceed(answer, `for ${principal.name}, not a declared admin, after ${name}`);
  }),
  ...afterEach('access.granted', ofSources, (_api, { name, reads }) => {
    const granted = resultOf(reads.granted);
    if (granted.length === 0) throw new Blocked('no list was shown to its admin');
    for (const { principal, answer } of granted)
      mustSucceed(answer, `for ${principal.name}, a declared admin, after ${name}`);
  }),
  ...afterEach('models.filter', {}, mustFilter),
  ...afterEach('models.required-fields', {}, (_api, { reads }) => {
    const { after } = resultOf(reads.followed.listModels);
    const models = recordsIn(after);
    if (models.length === 0) throw new Blocked('no model was listed after the outage');
    for (const model of models) mustKeep(requiredFields, model, after);
  }),
  ...listOperations.flatMap((list) =>
    afterEach('paging.any-id-is-cursor', { on: list }, (api, outage) => mustFollowCursor(api, outage, list)),
  ),
];

function resultOf<Value>(made: Settled<Value>): Value {
  if (made.ok) return made.value;
  throw made.error;
}

/** Wrong models are wrong at once; a filter that is refused or shows nothing may still be without its list. */
async function mustFilter(api: Api, { name, reads }: Outage): Promise<void> {
  const { one, first, after } = resultOf(reads.filtered);
  const { list, sourceId } = one;
  for (const answer of [first, after]) {
    for (const model of recordsIn(answer)) mustKeep(filteredModels, model, answer);
  }
  if (recordsIn(after).length > 0) return;
  const walk = (all: ListOperation) => givenWalk(api, all, as(list.admin), list.organizationId, { limit: 100 });
  const hasModels = (await walk('listModels')).items.some((item) => sourceIdOf(item) === sourceId);
  const sources = await walk('listDataSources');
  if (!hasModels || !isListed(sources.items, ({ id }) => id === sourceId)) throw new Blocked(othersDeleted(name));
  must(false, `models filtered by ${sourceId}, after ${name}`, isSuccess(after) ? 'none' : summary(after), after);
}

async function mustFollowCursor(
  api: Api,
  { name, reads, isElsewhere }: Outage,
  operation: ListOperation,
): Promise<void> {
  const followed = resultOf(reads.followed[operation]);
  const { list, query, before, after } = followed;
  if (showsTheSame(api, followed, after)) return;
  if (isElsewhere && (await showsTheSameLater(api, followed)))
    throw new Blocked(`what follows a cursor was shown again only some time after ${name}: a copy may have lagged`);
  if (!isSuccess(after) && (await isGone(api, list, query.cursor))) throw new Blocked(othersDeleted(name));
  mustSucceed(after, `for a cursor after ${name}`);
  await givenStillList(api, list.list, list.admin, list.organizationId);
  const { items } = await givenWalk(api, list.list, as(list.admin), list.organizationId, { limit: 100 });
  const listed = new Set(items.map(({ id }) => id));
  const expected = lastingIn(api, followed, before.items);
  if ([query.cursor, ...expected].some((id) => !listed.has(id))) throw new Blocked(othersDeleted(name));
  const shown = lastingIn(api, followed, readPage(after)?.items ?? []);
  must(false, `${describe(expected)} for the same cursor after ${name}`, describe(shown), before.answer, after);
}

function othersDeleted(name: string): string {
  return `other traffic deleted items while a cursor was compared before and after ${name}: run the suite against data that nothing else changes`;
}
