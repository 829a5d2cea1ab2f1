import { noWaivers } from '../reports/record/waivers.ts';
import { expect, test } from 'vitest';
import { parseWaivers } from './waiver-file.ts';

const waivable = [
  { id: 'paging.limit/listModels', requirement: 'paging.limit' },
  { id: 'paging.limit/listDataSources', requirement: 'paging.limit' },
  { id: 'models.columns', requirement: 'models.columns' },
];

const rest = `
    reason: The gateway is older.
    owner: Team Gateway
    link: https://issues.example.com/GW-12
    expires: 2027-01-31
`;
const file = (...ids: readonly string[]) => `waivers:\n${ids.map((id) => `  - waives: ${id}${rest}`).join('')}`;
const parse = (text: string, environment = {}) => parseWaivers(text, 'known.yaml', environment, waivable);

test('a file is read, with environment references replaced', () => {
  const text = file('paging.limit/listModels', 'models.columns').replace('older', '${AGE}');
  expect(parse(text, { AGE: 'new' })).toEqual({
    acceptedGaps: [],
    waivers: [
      {
        waives: 'paging.limit/listModels',
        reason: 'The gateway is new.',
        owner: 'Team Gateway',
        link: 'https://issues.example.com/GW-12',
        expires: '2027-01-31',
        writtenAt: { file: 'known.yaml', line: 2 },
      },
      expect.objectContaining({ waives: 'models.columns', writtenAt: { file: 'known.yaml', line: 7 } }),
    ],
  });
  expect(parse('waivers: []')).toEqual(noWaivers);
  const gap = { notExercised: 'paging.limit', reason: 'R', owner: 'O', expires: '2027-01-31' };
  expect(parse(JSON.stringify({ waivers: [], acceptedGaps: [gap] })).acceptedGaps).toMatchObject([gap]);
});

const one = file('models.columns');
test.each([
  ['nothing', '', '1:1: the file must be a map with the field waivers'],
  ['a list', '- waives: x', '1:1: the file must be a map with the field waivers'],
  ['no list', 'waivers: all', '1:10: waivers must be a list of waivers, [] for none'],
  ['no YAML', 'waivers: "', '1:11: this is not YAML'],
  ['a missing field', one.replace(/ +owner:.*\n/, ''), '2:5: waivers[0].owner is missing; it must name the person'],
  ['an empty field', one.replace(/reason:.*/, 'reason: " "'), '3:13: waivers[0].reason must give the reason'],
  ['a mistyped field', one.replace('expires:', 'expire:'), '6:5: waivers[0].expire is not a field of a waiver file'],
  ['no day', one.replace('2027-01-31', '2027-02-30'), '6:14: waivers[0].expires must be its last day'],
  ['no address', one.replace('https:', 'javascript:'), '5:11: waivers[0].link must be the http or https URL'],
  ['a mistyped ID', file('paging.limt'), '2:13: this waiver names paging.limt, which is not a check or requirement'],
  ['a pattern', file('paging.*'), '2:13: this waiver names no check or requirement that can be violated'],
  [
    'the same twice',
    file('models.columns', 'models.columns'),
    '7:13: waivers[1].waives covers the same check as waivers[0]',
  ],
  [
    'a gap that names nothing',
    'waivers: []\nacceptedGaps:\n  - notExercised: paging.limt\n    reason: R\n    owner: O\n    expires: 2027-01-31\n',
    '3:19: this gap names paging.limt, which is not a check or requirement that can be exercised',
  ],
  [
    'a gap without an owner',
    'waivers: []\nacceptedGaps:\n  - notExercised: paging.limit\n    reason: R\n    expires: 2027-01-31\n',
    '3:5: acceptedGaps[0].owner is missing; it must name the person',
  ],
  ['a check and its requirement', file('paging.limit/listModels', 'paging.limit'), '7:13: waivers[1].waives covers'],
])('%s is refused with file, line and column', (_what, text, message) => {
  expect(() => parse(text)).toThrow(`known.yaml:${message}`);
});

test('the message suggests an id for a typo, and does not repeat what may be a secret', () => {
  expect(() => parse(file('paging.limt'))).toThrow('did you mean paging.limit?');
  expect(() => parse(file('sk-live-4242-secret'))).toThrow(/^(?!.*secret)/);
});
