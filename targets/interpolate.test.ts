import { expect, test } from 'vitest';
import { interpolate } from './interpolate.ts';

const environment = { KEY: 'k1', EMPTY: '', NESTED: '${KEY}', toString: undefined };

test.each([
  ['plain $KEY $', 'plain $KEY $', undefined],
  ['${KEY}', 'k1', 'KEY'],
  ['${KEY}${KEY}', 'k1k1', undefined],
  ['a ${KEY} b', 'a k1 b', undefined],
  ['${KEY:-other}', 'k1', 'KEY'],
  ['${UNSET:-other}', 'other', 'UNSET'],
  ['${UNSET:-}', '', 'UNSET'],
  ['${EMPTY:-other}', 'other', 'EMPTY'],
  ['${EMPTY}', '', 'EMPTY'],
  ['${UNSET:-a:-b c}', 'a:-b c', 'UNSET'],
  ['$${KEY}', '${KEY}', undefined],
  ['${NESTED}', '${KEY}', 'NESTED'],
])('%j is %j', (text, value, variable) => {
  expect(interpolate(text, environment)).toEqual({
    value,
    problems: [],
    read: expect.any(Array),
    ...(variable && { variable }),
  });
});

test.each(['${UNSET}', '${constructor}', '${toString}'])('%s is not set', (text) => {
  expect(interpolate(text, environment).problems).toEqual([expect.stringContaining('is not set; set it, or write ')]);
});

test.each(['${}', '${KEY', '${KEY-x}', '${1A}', '${KEY :-x}'])('%s is no reference', (text) => {
  expect(interpolate(text, environment).problems).toEqual([expect.stringContaining('begins no valid reference')]);
});
