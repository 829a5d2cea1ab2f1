import { must, should } from '../requirement.ts';

const bothLists = ['listModels', 'listDataSources'] as const;

/** Sections 2.2, 4.1, 4.5 and 8: paging, which is the same in both lists. */
export const lists = [
  must(
    'paging.envelope',
    '2.2',
    bothLists,
    'A list answer is an object with the array data and the object pagination.',
  ),
  must('paging.meta-types', '2.2', bothLists, 'hasMore is a boolean, and nextCursor a string or null.'),
  must(
    'paging.limit',
    '4.1',
    bothLists,
    'A page holds exactly limit items while more follow, and never more than limit.',
  ),
  must(
    'paging.default-limit',
    '8',
    bothLists,
    'Without a limit a page holds 50 items while more follow, and never more.',
  ),
  must('paging.limit-minimum', '8', bothLists, 'limit=1 is accepted and gives one item.'),
  must('paging.limit-maximum', '8', bothLists, 'limit=100 is accepted and gives up to 100 items.'),
  must('paging.limit-cap', '8', bothLists, 'No limit, however wrong, makes a page of more than 100 items.'),
  should(
    'paging.limit-refused',
    '8',
    bothLists,
    'A limit that is no integer from 1 to 100 is refused with a 4xx error body.',
  ),
  must(
    'paging.has-more',
    '2.2',
    bothLists,
    'hasMore says whether items exist after this page, also when the last page is exactly full.',
  ),
  must('paging.cursor-null', '2.2', bothLists, 'nextCursor is null exactly when hasMore is false.'),
  must('paging.cursor-is-last-id', '4.1', bothLists, "nextCursor is the ID of the page's last item."),
  must(
    'paging.any-id-is-cursor',
    '4.1',
    bothLists,
    'The ID of any item works as cursor and yields what follows that item.',
  ),
  must(
    'paging.walk',
    '4.1',
    bothLists,
    'Walks with every page size give the same sequence, without gap or repeat, also among equal creation times.',
  ),
  must('paging.newest-first', '4.1', bothLists, 'Items come newest first, within a page and across page borders.'),
  must(
    'paging.same-records',
    '2',
    bothLists,
    'A record is the same on every page and for every admin: its createdAt, and if its updatedAt is the same, its other stored fields.',
  ),
  should('paging.unknown-cursor', '4.1', bothLists, 'A cursor that nobody issued is not answered 5xx.'),
];
