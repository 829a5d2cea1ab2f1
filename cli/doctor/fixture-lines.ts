import type { Target } from '../../core/target.ts';
import { some } from '../../reports/text/figures.ts';
import type { Fixtures, Listed, OrganizationFixture } from '../../targets/doctor/fixtures.ts';
import { itemsOf } from '../../targets/doctor/fixtures.ts';
import { bad, doubtful, good, type Line, plain } from './line.ts';
import { listed } from '../../reports/text/some-of.ts';

/**
 * The organizations, the longest lists compared with what the paging checks need, and the billing accounts. Those in `named` are
 * left out if they cannot be read, because another line already says so.
 */
export function fixtureLines(
  { organizations, accounts }: Fixtures,
  { allow }: Target,
  named: ReadonlySet<string>,
): readonly Line[] {
  const shown = organizations.filter(({ organization, admin, models, sources }) => {
    return !(admin && named.has(organization.id) && 'unreadable' in models && 'unreadable' in sources);
  });
  return [
    ...shown.flatMap((fixture) => organizationLines(fixture, allow.has('deletions'))),
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
      // If an admin is declared, the line of that principal already reports the mistake.
      if (record === undefined) return doubtful(`billing account ${id} could not be read by an admin of ${owner}`);
      if (shownOwner !== undefined && shownOwner !== owner) {
        return bad(`billing account ${id} belongs to ${shownOwner}, but the file names ${owner}: correct its owner`);
      }
      const may = attachable.length === 0 ? 'no organization may be attached' : `${listed(attachable)} may be attached`;
      return good(`billing account ${id} of ${owner}: ${may}`);
    }),
  ];
}

/** Lists that the plan of a run counts as empty. */
export function unreadLines({ organizations }: Fixtures): readonly Line[] {
  const unread = organizations.filter(
    ({ admin, models, sources }) => admin !== undefined && ('unreadable' in models || 'unreadable' in sources),
  );
  if (unread.length === 0) return [];
  const ids = listed(unread.map(({ organization }) => organization.id));
  return [doubtful(`the plan below counts unreadable lists as empty: ${ids}`)];
}

function organizationLines(
  { organization, admin, models, sources }: OrganizationFixture,
  deletes: boolean,
): readonly Line[] {
  const { id, chats, disposableDataSources } = organization;
  if (admin === undefined) return [plain(`${id}: no principal is its admin, so it is used for refusals only`)];
  const counts = [
    countOf(models, 'model'),
    countOf(sources, 'data source'),
    ...(chats.length === 0 ? [] : [some(chats.length, 'chat')]),
  ];
  const ids = new Set(itemsOf(sources).map((item) => item.id));
  const gone = disposableDataSources.filter((source) => !ids.has(source));
  const left = disposableDataSources.length - gone.length;
  const disposable = disposableDataSources.length === 0 ? [] : [some(left, 'deletable data source')];
  return [
    ('unreadable' in models || 'unreadable' in sources ? bad : good)(`${id}: ${[...counts, ...disposable].join(', ')}`),
    ...(gone.length === 0 || 'unreadable' in sources
      ? []
      : [(deletes ? doubtful : plain)(`${id} no longer lists ${listed(gone)}: replace them in disposableDataSources`)]),
  ];
}

function countOf(list: Listed, noun: string): string {
  if ('unreadable' in list) return `${noun}s unreadable (${list.unreadable})`;
  return `${list.complete ? '' : 'over '}${some(list.items.length, noun)}`;
}

function longest(organizations: readonly OrganizationFixture[], of: (fixture: OrganizationFixture) => Listed): number {
  return Math.max(0, ...organizations.map((fixture) => itemsOf(of(fixture)).length));
}

/** How many items a list needs to exercise each part of paging. */
const pagingNeeds: readonly (readonly [items: number, what: string])[] = [
  [2, 'a second page, even with limit 1'],
  [51, 'the default limit of 50'],
  [100, 'a full page of limit=100'],
  [101, 'the maximum of 100 items a page'],
];

function pagingLines(noun: string, most: number): readonly Line[] {
  const unseen = pagingNeeds.filter(([items]) => most < items);
  const [next] = unseen;
  if (next === undefined) return [good(`paging: ${most} ${noun} in one organization are enough for every check`)];
  const found = `paging of ${noun}: the longest list has ${most}`;
  const needs = unseen.map(([items, what]) => `${what} (${items})`).join(', ');
  return [doubtful(`${found}${most > 1 ? ', so checks use small limits' : ''}; it cannot exercise ${needs}`)];
}
