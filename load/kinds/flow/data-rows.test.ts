import { expect, test } from 'vitest';
import { TargetFileError } from '../../../targets/target-file-error.ts';
import { maxRows, parseRows } from './data-rows.ts';

function problemOf(text: string, file = 'd.csv'): string {
  try {
    parseRows(text, file);
  } catch (error) {
    if (error instanceof TargetFileError) return error.message;
    throw error;
  }
  return '';
}

test('CSV: quotes hold commas, line feeds and quotes; empty lines are nothing', () => {
  const text = '\u{feff}question,n\r\n"a ""b"", c",1\r\n\r\n"two\nlines",\n';
  expect(parseRows(text, 'd.csv')).toEqual([
    { question: 'a "b", c', n: '1' },
    { question: 'two\nlines', n: '' },
  ]);
});

test('JSON: values become text, and what looks like a variable is none', () => {
  const text = '[{"question": "a ${HOME}", "key": "${x}", "n": 1}, {"n": 2.5, "key": "k", "question": "b"}]';
  expect(parseRows(text, 'd.JSON')).toEqual([
    { question: 'a ${HOME}', key: '${x}', n: '1' },
    { question: 'b', key: 'k', n: '2.5' },
  ]);
});

test.each([
  ['', 'd.csv:1:1: the file needs a line of names and a row below it'],
  ['a,b\n', 'd.csv:1:1: the file needs a line of names'],
  ['a,b\n1,2\n1\n', 'd.csv:3:1: this row has 1 field, but the header names 2'],
  ['a\n"two\nlines"\n"open\n', 'd.csv:4:1: a quote is not closed'],
  ['a\nx"y\n', 'd.csv:2:1: a quote is not closed, or stands within a field without quotes'],
  ['a,a\n1,2\n', 'd.csv:1:1: the name of column 2 appears twice'],
  ['a,b c\n1,2\n', 'd.csv:1:1: the name of column 2 must begin with a letter'],
  [`a\n${'1\n'.repeat(maxRows + 1)}`, 'd.csv:10002:1: there are 10001 rows; 10000 are the most'],
])('CSV %#: a mistake has its line', (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

test.each([
  ['[{"a": 1},\n {"a": null}]', 'd.json:2:8: must be a list'],
  ['[{"a": 1},\n {"b": 1}]', 'd.json:2:2: must be a list'],
  ['{"a": 1}', 'd.json:1:1: must be a list'],
  ['[{"a": 1,\n "a": 2}]', 'd.json:2:2: this name appears twice'],
  ['[{a: 1}]', 'd.json:1:3: the file is not JSON here'],
  ['[]', 'd.json:1:1: must be a list of 1 to 10000 objects'],
])('JSON %#: a mistake has its line', (text, problem) => {
  expect(problemOf(text, 'd.json')).toContain(problem);
});
