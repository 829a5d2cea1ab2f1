import { operations, type Requirement } from './requirement.ts';

/** Section 5, points 1 and 2. */
export const authentication = [
  {
    id: 'auth.no-key',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A request without an API key is answered 401.',
  },
  {
    id: 'auth.unknown-key',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A key that was never issued is answered 401.',
  },
  {
    id: 'auth.wrong-scheme',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A valid key under another scheme than Bearer is answered 401.',
  },
  {
    id: 'auth.empty-token',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A Bearer header without a token is answered 401.',
  },
  {
    id: 'auth.truncated-key',
    section: '5',
    level: 'must',
    operations,
    sentence: 'The first half of a valid key is answered 401.',
  },
  {
    id: 'auth.altered-key',
    section: '5',
    level: 'must',
    operations,
    sentence: 'A valid key with one character changed is answered 401.',
  },
  { id: 'auth.error-body', section: '5', level: 'must', operations, sentence: 'A 401 answer carries the error body.' },
  {
    id: 'auth.before-lookup',
    section: '5',
    level: 'must',
    operations,
    sentence: 'Without a valid key the answer is 401 whether or not the resource exists.',
  },
  {
    id: 'auth.no-effect',
    section: '5',
    level: 'must',
    operations: ['sendMessage', 'attachOrganization', 'deleteDataSource'],
    sentence: 'A write without a valid key changes nothing.',
  },
  {
    id: 'auth.not-quoted',
    section: '5',
    level: 'should',
    operations,
    sentence: 'No error quotes the API key of its request.',
  },
] as const satisfies readonly Requirement[];
