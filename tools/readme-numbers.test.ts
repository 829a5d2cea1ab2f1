import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withNumbers } from './readme-numbers.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, shown = ''] = /^```text output\n(.*?)\n```$/ms.exec(readme) ?? [];
const faultCount = Number(/(\d+) faults that/.exec(readme)?.[1]);

/** The output of the command, from what the README shows of it. */
function written(text: string): string {
  return `suite · seed 1\n\n${text.replace('…', '  curl      curl …\n\nUsed up\n  a data source\n')}\n`;
}

test('what only took another time leaves the README as it is', () => {
  const later = shown.replaceAll(/\b[\d.]+ (?=m?s\b)/g, '77 ');
  expect(later).not.toBe(shown);
  expect(withNumbers(readme, written(later), faultCount)).toBe(readme);
});

test('more checks, requirements and faults are written in every place', () => {
  const more = shown
    .replace(/^( {2}all +)\d+ +\d+ +\d+/m, '$1901 893 8')
    .replace(/3 of \d+ requirements/, '4 of 902 requirements');
  const anew = withNumbers(readme, written(more), 903);
  expect(anew).toContain('901 893 8');
  expect(anew).toContain('Nonconformant: 4 of 902 requirements violated.');
  expect(anew).toContain('893 checks passed and 8 failed');
  expect(anew).toContain('The 903 faults that');
});

test('a run that ended early changes nothing', () => {
  expect(() => withNumbers(readme, 'the target does not answer\n', 1)).toThrow('no table of areas');
});
