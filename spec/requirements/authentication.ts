import { must, operations, should } from '../requirement.ts';

/** Section 5, points 1 and 2. */
export const authentication = [
  ...must('5', operations, {
    'auth.no-key': 'A request without an API key is answered 401.',
    'auth.unknown-key': 'A key that was never issued is answered 401.',
    'auth.wrong-scheme': 'A valid key under another scheme than Bearer is answered 401.',
    'auth.empty-token': 'A Bearer header without a token is answered 401.',
    'auth.truncated-key': 'The first half of a valid key is answered 401.',
    'auth.altered-key': 'A valid key with one character changed is answered 401.',
    'auth.error-body': 'A 401 answer carries the error body.',
    'auth.before-lookup': 'Without a valid key the answer is 401 whether or not the resource exists.',
  }),
  ...must('5', ['sendMessage', 'attachOrganization', 'deleteDataSource'], {
    'auth.no-effect': 'A write without a valid key changes nothing.',
  }),
  ...should('5', operations, {
    'auth.not-quoted': 'No error contains the API key of its request.',
  }),
  ...must('5', [], {
    'auth.key-life': ['Keys are issued, scoped and revoked.', 'How is not shown.'],
  }),
];
