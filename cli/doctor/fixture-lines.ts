import type { Target } from '../../core/target.ts';
import type { Fixtures, Listed, OrganizationFixture } from '../../targets/doctor/fixtures.ts';
import { itemsOf } from '../../targets/doctor/fixtures.ts';
import { bad, doubtful, good, type Line, listed, plain } from './line.ts';

/** What there is to check on: the organizations, the longest lists beside what paging needs, the billing accounts. */
export function fixtureLines({ organizations, accounts }: Fixtures, { allow }: Target): readonly Line[] {
  return [
    ...organizations.flatMap((fixture) => organizationLines(fixture, allow.has('deletions'))),
    ...pagingLines(
      'models',
      longest(organizations, ({ models }) => models),
    ),
    ...pagingLines(
      'data sources',
      longest(organizations, ({ sources }) => sources),
    ),
    ...accounts.map(({ account, record, shownOwner }): Line => {
      const { id, owner, attachable } = account;
      if (record === undefined) return bad(`billing account ${id} could not be read by an admin of ${owner}`);
      if (shownOwner !== undefined && shownOwner !== owner) {
        return bad(`billing account ${id} shows another owner than ${owner}: ${shownOwner}. Which one is right?`);
      }
      const may = attachable.length === 0 ? 'nothing may be attached to it' : `may get ${listed(attachable)}`;
      return good(`billing account ${id} of ${owner}: ${may}`);
    }),
  ];
}

/** What the plan of a run does not know. */
export function unreadLines({ organizations }: Fixtures): readonly Line[] {
  const unread = organizations.filter(
    ({ admin, models, sources }) => admin !== undefined && ('unreadable' in models || 'unreadable' in sources),
  );
  if (unread.length === 0) return [];
  const ids = listed(unread.map(({ organization }) => organization.id));
  return [doubtful(`what could not be read counts as empty here, and in what could not be judged: ${ids}`)];
}

function organizationLines(
  { organization, admin, models, sources }: OrganizationFixture,
  deletes: boolean,
): readonly Line[] {
  const { id, chats, disposableDataSources } = organization;
  if (admin === undefined) return [plain(`${id}: no principal is adminOf it, so that it serves for refusals only`)];
  const counts = [
    countOf(models, 'model'),
    countOf(sources, 'data source'),
    ...(chats.length === 0 ? [] : [counted(chats.length, 'chat')]),
  ];
  const ids = new Set(itemsOf(sources).map((item) => item.id));
  const gone = disposableDataSources.filter((source) => !ids.has(source));
  const left = disposableDataSources.length - gone.length;
  const disposable = disposableDataSources.length === 0 ? [] : [`${left} may be deleted`];
  return [
    ('unreadable' in models || 'unreadable' in sources ? bad : good)(`${id}: ${[...counts, ...disposable].join(', ')}`),
    ...(gone.length === 0 || 'unreadable' in sources
      ? []
      : [
          (deletes ? doubtful : plain)(
            `${id} does not list ${listed(gone)} any more: replace them in disposableDataSources`,
          ),
        ]),
  ];
}

function countOf(list: Listed, noun: string): string {
  if ('unreadable' in list) return `${noun}s unreadable (${list.unreadable})`;
  return `${list.complete ? '' : 'over '}${counted(list.items.length, noun)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function longest(organizations: readonly OrganizationFixture[], of: (fixture: OrganizationFixture) => Listed): number {
  return Math.max(0, ...organizations.map((fixture) => itemsOf(of(fixture)).length));
}

/** What a list must hold to show something of paging. */
const pagingNeeds: readonly (readonly [items: number, what: string])[] = [
  [2, 'a second page, even with limit 1'],
  [51, 'the default limit of 50'],
  [100, 'a full page of limit=100'],
  [101, 'that no page has more than 100'],
];

function pagingLines(noun: string, most: number): readonly Line[] {
  const unseen = pagingNeeds.filter(([items]) => most < items);
  const [next] = unseen;
  if (next === undefined) return [good(`paging: ${most} ${noun} in one organization show all of it`)];
  const found = `paging of ${noun}: the longest list has ${most}`;
  const needs = unseen.map(([items, what]) => `${what} (${items})`).join(', ');
  return [doubtful(`${found}${most > 1 ? ', so small limits are used' : ''}; it cannot show ${needs}`)];
}
