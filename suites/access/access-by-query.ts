import { mustNotSucceed, mustStatus } from '../../engine/answer.ts';
import { type Api, as, type Query } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Principal } from '../../core/target.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { requestOnce, requestPage, widest } from '../../stage/lists/pages.ts';
import { type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenEveryKey, strangersTo } from './access-matrix.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/** Section 5, points 3 and 4, for later pages, filtered lists and paths in other forms, which are often handled by separate code. */
export const accessByQuery: readonly Check[] = [
  check('access.models-404', { variant: 'by-query' }, async (api) => {
    for (const { answer, when } of await givenDeniedByQuery(api, 'listModels')) mustStatus(answer, 404, when);
    await givenEveryKey(api, 'listModels');
  }),
  check('access.denied', { on: 'listDataSources', variant: 'by-query' }, async (api) => {
    for (const { answer, when } of await givenDeniedByQuery(api, 'listDataSources')) mustNotSucceed(answer, when);
    await givenEveryKey(api, 'listDataSources');
  }),
  check('access.denied', { on: 'listDataSources', variant: 'by-path' }, async (api) => {
    const { organizationId } = await givenLongestList(api, 'listDataSources', 1);
    const [stranger] = await strangersTo(api, 'listDataSources', organizationId);
    if (stranger === undefined) throw new Blocked(`declare a principal that is not adminOf ${organizationId}`);
    for (const [how, rewritten] of otherPaths) {
      // What no operation has as its path may be answered in any other way, also with a page for people.
      const answer = await api.listDataSources(
        { ...as(stranger), rewritten },
        organizationId,
        { limit: 1 },
        { judged: false },
      );
      const promise = `for ${stranger.name}, not a declared admin, by the path of ${organizationId} ${how}`;
      if (readPage(answer) !== undefined) mustNotSucceed(answer, promise);
    }
  }),
];

/** Ways to write a path: a filter that checks roles may compare paths as they were sent, and the router decoded ones. */
const otherPaths: readonly (readonly [how: string, rewritten: (path: string) => string])[] = [
  [
    'with an escape in its ID',
    (path) => path.replace(/(?<=organizations\/)[A-Za-z0-9]/, (one) => `%${one.charCodeAt(0).toString(16)}`),
  ],
  ['with a slash at its end', (path) => path.replace('?', '/?')],
];

/** Principals tried with every query; `access-matrix.ts` tries all of them without a query. */
const maxStrangers = 2;

type Denied = { readonly answer: Answer; readonly when: string };

/** Answers to principals who are not admins, for requests that give the admin a page, and for requests that name their own organization. */
async function givenDeniedByQuery(api: Api, list: ListOperation): Promise<readonly Denied[]> {
  const fixture = await givenLongestList(api, list, 1);
  const { organizationId } = fixture;
  const strangers = await strangersTo(api, list, organizationId);
  if (strangers.length === 0) throw new Blocked(`declare a principal that is not adminOf ${organizationId}`);
  const denied: Denied[] = [];
  const admins = strangers.filter(({ adminOf }) => adminOf.length > 0).slice(0, maxStrangers);
  for (const principal of admins) {
    const cursor = await ownItem(api, list, principal);
    const headers = ownOrganization(principal);
    const caller = { ...as(principal), elsewhere: { headers, query: '' } };
    const answer = await requestPage(api, list, caller, organizationId, {
      limit: 1,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const when = `reading ${organizationId} with an item and the ID of an organization of its own`;
    denied.push({ answer, when: `for ${principal.name}, not a declared admin, ${when}` });
    // An unknown parameter may be refused with a status of its own, and a denied list of models must be answered 404.
    if (list === 'listModels' || principal !== admins[0]) continue;
    const renamed = { ...as(principal), elsewhere: { headers, query: ownParameters(principal) } };
    const page = await requestPage(api, list, renamed, organizationId, { limit: 1 });
    denied.push({
      answer: page,
      when: `for ${principal.name}, not a declared admin, reading ${organizationId} with an organization of its own in the query`,
    });
  }
  for (const [index, query] of queriesOf(fixture).entries()) {
    const shown = await requestOnce(api, fixture, query);
    if (readPage(shown) === undefined) continue;
    const turn = api.session.seed + index + listOperations.indexOf(list);
    for (const principal of oneOfEachKind(strangers, turn)) {
      const answer = await requestPage(api, list, as(principal), organizationId, query);
      const how = Object.keys(query).join(' and ');
      denied.push({
        answer,
        when: `for ${principal.name}, not a declared admin, reading ${organizationId} with ${how}`,
      });
    }
  }
  if (denied.length > 0) return denied;
  throw new Blocked(
    `the admin of ${organizationId} gets no page with an item as cursor or with a data source as filter`,
  );
}

/** One of the first admins of other organizations, and one of the first principals without any role, in turn. */
function oneOfEachKind(strangers: readonly Principal[], turn: number): readonly Principal[] {
  const [admins, members] = [true, false].map((isAdmin) =>
    strangers.filter(({ adminOf }) => adminOf.length > 0 === isAdmin).slice(0, maxStrangers),
  );
  return [admins, members].flatMap((kind = []) => kind.slice(turn % kind.length).slice(0, 1));
}

/** An item of a list that the principal may read: a careless check of the role looks the organization up by it. */
async function ownItem(api: Api, list: ListOperation, { adminOf }: Principal): Promise<string | undefined> {
  const own = (await givenLists(api, list)).find(({ organizationId }) => adminOf.includes(organizationId));
  return own?.walk.items[0]?.id;
}

/** Headers that other APIs read the organization from. An ID that no header can hold as it is, is percent-encoded. */
function ownOrganization({ adminOf: [id = ''] }: Principal): Readonly<Record<string, string>> {
  const value = /^[!-~]([ -~]*[!-~])?$/.test(id) ? id : encodeURIComponent(id);
  return { 'x-organization-id': value, 'x-tenant-id': value };
}

/** The same in the query: frameworks that merge parameters of the path and of the query may let the query win. */
function ownParameters({ adminOf: [id = ''] }: Principal): string {
  return new URLSearchParams({ orgId: id, organizationId: id }).toString();
}

function queriesOf({ walk }: ListFixture): readonly Query[] {
  const [newest] = walk.items;
  if (newest === undefined) return [];
  const databaseConnectionId = sourceIdOf(newest);
  return [
    { ...widest, cursor: walk.pages[0]?.nextCursor ?? newest.id },
    ...(databaseConnectionId === undefined ? [] : [{ databaseConnectionId, limit: 1 }]),
  ];
}
