import { must, operations, should } from '../requirement.ts';

/** Section 5, points 1 and 2. */
export const authentication = [
  must('auth.no-key', '5', operations, 'A request without an API key is answered 401.'),
  must('auth.unknown-key', '5', operations, 'A key that was never issued is answered 401.'),
  must('auth.wrong-scheme', '5', operations, 'A valid key under another scheme than Bearer is answered 401.'),
  must('auth.empty-token', '5', operations, 'A Bearer header without a token is answered 401.'),
  must('auth.truncated-key', '5', operations, 'The first half of a valid key is answered 401.'),
  must('auth.altered-key', '5', operations, 'A valid key with one character changed is answered 401.'),
  must('auth.error-body', '5', operations, 'A 401 answer carries the error body.'),
  must(
    'auth.before-lookup',
    '5',
    operations,
    'Without a valid key the answer is 401 whether or not the resource exists.',
  ),
  must(
    'auth.no-effect',
    '5',
    ['sendMessage', 'attachOrganization', 'deleteDataSource'],
    'A write without a valid key changes nothing.',
  ),
  should('auth.not-quoted', '5', operations, 'No error contains the API key of its request.'),
  must('auth.key-life', '5', [], 'Keys are issued, scoped and revoked.', 'How is not shown.'),
];
