import { expect, test } from 'vitest';
import { catalogue } from '../../spec/catalogue.ts';
import { openPoints } from '../../spec/open-points.ts';
import { attacks } from '../../testing/try-hostile.ts';
import { renderAnnotated } from './annotated-page.ts';
import { coverage } from './coverage.ts';
import { blocksOf, sentencesOf } from './split.ts';

const text =
  '# A title\n\n## 4.2 Things\n\n- One is 4.2. Two\n  goes on.\n\nRows:\n\n| a | b |\n|---|---|\n| `c` | |\n';

test('a text is split into headings, sentences and rows, in every layout of its words', () => {
  const sentences = sentencesOf(blocksOf(text));
  expect(sentences.map((one) => one.text)).toEqual([
    'A title',
    '4.2 Things',
    'One is 4.2.',
    'Two goes on.',
    'Rows:',
    'a | b',
    '`c` | ',
  ]);
  const other = sentencesOf(blocksOf(text.replaceAll(' | ', '   |  ').replace('\n  goes', ' goes')));
  expect(other.map(({ digest }) => digest)).toEqual(sentences.map(({ digest }) => digest));
});

test('every id in the coverage exists, and every requirement is named by a sentence', () => {
  const named = new Set([...coverage.values()].flat());
  const ids = new Set<string>([...catalogue.map(({ id }) => id), ...openPoints.map(({ point }) => `open: ${point}`)]);
  expect([...named].filter((one) => !ids.has(one) && !/^(unobservable|about): ./.test(one))).toEqual([]);
  expect([...ids].filter((id) => !named.has(id))).toEqual([]);
});

test('an unknown text is marked, and nothing of it is markup', () => {
  const html = renderAnnotated({
    blocks: blocksOf(`## __proto__\n\n${attacks}\n\n| ${attacks} |\n`),
    guardsOf: () => ({ checks: [], faults: [] }),
  });
  expect(html).toContain('uncovered');
  expect(html).not.toMatch(/<script|<img|<svg|href="javascript/);
});
