import { must, mustNotSucceed, mustSucceed } from '../../engine/answer.ts';
import { isSuccess } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Check, CheckOptions } from '../../engine/check.ts';
import { patienceMs, waitedWithoutResult } from '../../engine/session/patience.ts';
import { outageKinds } from '../../core/outages.ts';
import { type Item, type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { requiredFields } from '../../promises/model-shapes.ts';
import { filteredModels } from '../../promises/models.ts';
import { recordsIn } from '../../promises/records.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import type { Settled } from '../../stage/rate-limit/rate-probe.ts';
import { type Cell, cellsOf } from '../access/access-matrix.ts';
import { isGone } from '../lists/is-gone.ts';
import { sourceIdOf } from '../models/model-filters.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { afterOutage, type Judge } from './durability.ts';
import type { Outage } from './outage.ts';

/** How long what knows keys and roles may need after an outage, and how often it is asked, in milliseconds. */
const recovery = { withinMs: 30_000, pauseMs: 3000 } as const;

const ofSources = { on: 'listDataSources' } as const;

/** A check of each kind of outage: reading needs nothing that an outage may lose. */
function afterEach(id: RequirementId, options: CheckOptions, judge: Judge): readonly Check[] {
  return outageKinds.map((kind) => afterOutage(id, kind, { ...options, variant: kind, extended: true }, judge));
}

/** Keys, roles, filters and cursors mean the same after an outage. */
export const stillRead: readonly Check[] = [
  ...afterEach('auth.unknown-key', ofSources, (_api, { name, reads }) => {
    mustNotSucceed(resultOf(reads.roles).unknown, `for a key that was never issued, after ${name}`);
  }),
  ...afterEach('access.denied', ofSources, (_api, { name, reads }) => {
    const { denied } = resultOf(reads.roles);
    if (denied.length === 0) throw new Blocked('no list was refused to a principal and shown to its admin');
    for (const { principal, answer } of denied)
      mustNotSucceed(answer, `for ${principal.name}, not a declared admin, after ${name}`);
  }),
  ...afterEach('access.granted', ofSources, async (api, { name, reads }) => {
    const { granted } = resultOf(reads.roles);
    if (granted.length === 0) throw new Blocked('no list was shown to its admin');
    for (const cell of granted) await mustRecover(api, name, cell);
  }),
  ...afterEach('models.filter', {}, (_api, { name, reads }) => {
    const { one, after } = resultOf(reads.filtered);
    mustSucceed(after, `filtered by ${one.sourceId}, after ${name}`);
    for (const model of recordsIn(after)) mustKeep(filteredModels, model, after);
  }),
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

/** A key or a role may be unknown for some seconds, until what knows it is back. */
async function mustRecover(api: Api, name: string, cell: Cell): Promise<void> {
  const { clock } = api.session;
  const awaited = 'a key after an outage';
  let last = cell;
  const untilMs = clock.now() + patienceMs(api.session, awaited, recovery.withinMs);
  while (!isSuccess(last.answer) && clock.now() < untilMs) {
    await clock.sleep(recovery.pauseMs);
    [last = cell] = await cellsOf(api, 'listDataSources', [cell]);
  }
  if (!isSuccess(last.answer)) waitedWithoutResult(api.session, awaited);
  mustSucceed(last.answer, `for ${cell.principal.name}, a declared admin, after ${name}`);
}

async function mustFollowCursor(api: Api, { name, reads }: Outage, operation: ListOperation): Promise<void> {
  const { list, query, before, after } = resultOf(reads.followed[operation]);
  if (!isSuccess(after) && (await isGone(api, list, query.cursor))) throw new Blocked(othersDeleted(name));
  mustSucceed(after, `for a cursor after ${name}`);
  // This run may delete data sources, and a cleanup job may delete their models at any time.
  const sourceOf = (item: Item): string => (operation === 'listDataSources' ? item.id : (sourceIdOf(item) ?? ''));
  const lasting = (items: readonly Item[]): readonly string[] =>
    items.filter((item) => !isTaken(api, list.organizationId, sourceOf(item))).map(({ id }) => id);
  const expected = lasting(before.items);
  const followers = lasting(readPage(after)?.items ?? []);
  const isSame = describe(followers.slice(0, expected.length)) === describe(expected);
  if (!isSame) {
    await givenStillList(api, list.list, list.admin, list.organizationId);
    const { items } = await givenWalk(api, list.list, as(list.admin), list.organizationId, { limit: 100 });
    const listed = new Set(items.map(({ id }) => id));
    if ([query.cursor, ...expected].some((id) => !listed.has(id))) throw new Blocked(othersDeleted(name));
  }
  must(isSame, `${describe(expected)} for the same cursor after ${name}`, describe(followers), before.answer, after);
}

function othersDeleted(name: string): string {
  return `other traffic deleted items while a cursor was compared before and after ${name}: run the suite against data that nothing else changes`;
}
