import type { Operation, Requirement } from './requirement.ts';

const both = ['listModels', 'listDataSources'] as const satisfies readonly Operation[];

/** Sections 2.2, 4.1, 4.5 and 8: both lists page alike. */
export const lists = [
  {
    id: 'paging.envelope',
    section: '2.2',
    level: 'must',
    operations: both,
    sentence: 'A list answer is an object with the array data and the object pagination.',
  },
  {
    id: 'paging.meta-types',
    section: '2.2',
    level: 'must',
    operations: both,
    sentence: 'hasMore is a boolean, and nextCursor a string or null.',
  },
  {
    id: 'paging.limit',
    section: '4.1',
    level: 'must',
    operations: both,
    sentence: 'A page holds exactly limit items while more follow, and never more than limit.',
  },
  {
    id: 'paging.default-limit',
    section: '8',
    level: 'must',
    operations: both,
    sentence: 'Without a limit a page holds 50 items while more follow, and never more.',
  },
  {
    id: 'paging.limit-minimum',
    section: '8',
    level: 'must',
    operations: both,
    sentence: 'limit=1 is accepted and gives one item.',
  },
  {
    id: 'paging.limit-maximum',
    section: '8',
    level: 'must',
    operations: both,
    sentence: 'limit=100 is accepted and gives up to 100 items.',
  },
  {
    id: 'paging.limit-cap',
    section: '8',
    level: 'must',
    operations: both,
    sentence: 'No limit, however wrong, makes a page of more than 100 items.',
  },
  {
    id: 'paging.limit-refused',
    section: '8',
    level: 'should',
    operations: both,
    sentence: 'A limit that is no integer from 1 to 100 is refused with a 4xx error body.',
  },
  {
    id: 'paging.has-more',
    section: '2.2',
    level: 'must',
    operations: both,
    sentence: 'hasMore says whether items exist after this page, also when the last page is exactly full.',
  },
  {
    id: 'paging.cursor-null',
    section: '2.2',
    level: 'must',
    operations: both,
    sentence: 'nextCursor is null exactly when hasMore is false.',
  },
  {
    id: 'paging.cursor-is-last-id',
    section: '4.1',
    level: 'must',
    operations: both,
    sentence: "nextCursor is the ID of the page's last item.",
  },
  {
    id: 'paging.any-id-is-cursor',
    section: '4.1',
    level: 'must',
    operations: both,
    sentence: 'The ID of any item works as cursor and yields what follows that item.',
  },
  {
    id: 'paging.walk',
    section: '4.1',
    level: 'must',
    operations: both,
    sentence:
      'Walks with every page size give the same sequence, without gap or repeat, also among equal creation times.',
  },
  {
    id: 'paging.newest-first',
    section: '4.1',
    level: 'must',
    operations: both,
    sentence: 'Items come newest first, within a page and across page borders.',
  },
  {
    id: 'paging.unknown-cursor',
    section: '4.1',
    level: 'should',
    operations: both,
    sentence: 'A cursor that nobody issued is not answered 5xx.',
  },
] as const satisfies readonly Requirement[];
