import { expect, test } from 'vitest';
import { pathOf, placeOf, readSubmission } from './submission.ts';

const plain = {
  format: 'awc-submission/1',
  vendor: 'Acme, Inc.',
  product: 'Workspace',
  version: '2.1.0',
  website: 'https://acme.example.com/workspace',
  contact: 'api@acme.example.com',
} as const;
const place = { vendor: 'acme-inc', product: 'workspace', version: '2.1.0' };

test('a submission is read in the place that it names', () => {
  expect(readSubmission(JSON.stringify(plain), place)).toEqual(plain);
  expect(pathOf(placeOf(plain))).toBe('submissions/acme-inc/workspace/2.1.0');
});

test.each([
  [{ ...plain, vendor: 'Other' }, /names what belongs in submissions\/other\/workspace\/2\.1\.0$/],
  [{ ...plain, version: '../../2' }, /^submission\.json: version: must be lower-case letters/],
  [{ ...plain, website: 'javascript:alert(1)' }, /^submission\.json: website: /],
  [{ ...plain, website: 'http://acme.example.com' }, /^submission\.json: website: /],
  [{ ...plain, contact: '<script>' }, /^submission\.json: contact: /],
  [{ ...plain, extra: 1 }, /^submission\.json: it: Unrecognized key/],
  [{ ...plain, product: '\u202eWorkspace' }, /^submission\.json: product: must be a name/],
])('%j is refused', (submission, message) => {
  expect(() => readSubmission(JSON.stringify(submission), place)).toThrow(message);
});

test('a name that occurs twice is refused, whatever the order', () => {
  const text = JSON.stringify(plain).replace('{', '{"vendor":"Other",');
  expect(() => readSubmission(text, place)).toThrow('has the name vendor twice');
});
