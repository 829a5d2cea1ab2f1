import { must, should } from '../requirement.ts';

const bothLists = ['listModels', 'listDataSources'] as const;

/** Sections 2.2, 4.1, 4.5 and 8: paging, which is the same in both lists. */
export const lists = [
  ...must('2.2', bothLists, {
    'paging.envelope': 'A list answer is an object with the array data and the object pagination.',
    'paging.meta-types': 'hasMore is a boolean, and nextCursor a string or null.',
  }),
  ...must('4.1', bothLists, {
    'paging.limit': 'A page holds exactly limit items while more follow, and never more than limit.',
  }),
  ...must('8', bothLists, {
    'paging.default-limit': 'Without a limit a page holds 50 items while more follow, and never more.',
    'paging.limit-minimum': 'limit=1 is accepted and gives one item.',
    'paging.limit-maximum': 'limit=100 is accepted and gives up to 100 items.',
    'paging.limit-cap': 'No limit, however wrong, makes a page of more than 100 items.',
  }),
  ...should('8', bothLists, {
    'paging.limit-refused': 'A limit that is no integer from 1 to 100 is refused with a 4xx error body.',
  }),
  ...must('2.2', bothLists, {
    'paging.has-more': 'hasMore says whether items exist after this page, also when the last page is exactly full.',
    'paging.cursor-null': 'nextCursor is null exactly when hasMore is false.',
  }),
  ...must('4.1', bothLists, {
    'paging.cursor-is-last-id': "nextCursor is the ID of the page's last item.",
    'paging.any-id-is-cursor': 'The ID of any item works as cursor and yields what follows that item.',
    'paging.walk':
      'Walks with every page size give the same sequence, without gap or repeat, also among equal creation times.',
    'paging.newest-first': 'Items come newest first, within a page and across page borders.',
  }),
  ...must('2', bothLists, {
    'paging.same-records':
      'A record is the same on every page and for every admin: its createdAt, and if its updatedAt is the same, its other stored fields.',
  }),
  ...should('2', bothLists, {
    'paging.reading-is-no-update': 'Reading a record does not change its updatedAt.',
  }),
  ...should('4.1', bothLists, {
    'paging.unknown-cursor': 'A cursor that nobody issued is not answered 5xx.',
  }),
];
