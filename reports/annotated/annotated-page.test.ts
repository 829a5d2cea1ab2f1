import { expect, test } from 'vitest';
import { catalogue } from '../../spec/catalogue.ts';
import { openPoints } from '../../spec/open-points.ts';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { attacks } from '../../testing/try-hostile.ts';
import { renderAnnotated } from './annotated-page.ts';
import { coverage, coverageOf, missingFrom } from './coverage.ts';
import { blocksOf, type Sentence, sentencesOf } from './split.ts';

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

const guardsOf = () => ({ checks: [], faults: [] });
const ids = new Set<string>(catalogue.map(({ id }) => id));
const known = [...coverage.keys()].map((key): Sentence => {
  const space = key.lastIndexOf(' ');
  return { section: key.slice(0, space), digest: key.slice(space + 1), line: 1, text: 'A text.' };
});

test('every id in the coverage exists, and every requirement is named by a sentence', () => {
  const named = new Set([...coverage.values()].flat());
  const all = new Set([...ids, ...openPoints.map(({ point }) => `open: ${point}`)]);
  expect([...named].filter((one) => !all.has(one) && !/^(unobservable|about): ./.test(one))).toEqual([]);
  const unnamed = [...all].filter((id) => !named.has(id));
  expect(unnamed, 'add these ids to the sentences they come from, in reports/annotated/coverage.json').toEqual([]);
});

test('every known sentence that a text lacks is named', () => {
  expect(missingFrom(known)).toEqual([]);
  expect(missingFrom(known.slice(1))).toEqual([...coverage.keys()].slice(0, 1));
});

const three = known.filter((one) => coverageOf(one)?.length === 3 && coverageOf(one)?.every((id) => ids.has(id)));

test.each([
  [['passed', 'waived', 'failed'], 'is-failed'],
  [['warned', 'blocked', 'passed'], 'is-blocked'],
  [['passed', 'unselected', 'unobservable'], 'is-passed'],
  [['unobservable', 'unselected', 'unobservable'], 'is-unselected'],
  [[], ''],
] as const)('requirements that %s make a sentence and a row %s', (verdicts, tone) => {
  const [sentence] = three;
  if (sentence === undefined) throw new Error('no sentence with three requirements');
  const [base] = sampleRecord().requirements;
  if (base === undefined) throw new Error('a record without requirements');
  const requirements = verdicts.map((verdict, index) => ({
    ...base,
    id: coverageOf(sentence)?.[index] ?? '',
    verdict,
  }));
  const html = renderAnnotated({
    blocks: [
      { kind: 'prose', sentences: [sentence] },
      { kind: 'table', rows: [{ cells: ['a'], sentence }] },
    ],
    guardsOf,
    record: sampleRecord({ requirements }),
  });
  expect([...html.matchAll(/class="(?:reason )?said ([^"]*)"/g)].map(([, own]) => own)).toEqual([tone, tone]);
  const marks = [...html.matchAll(/<span class="mark (is-[a-z]+)">/g)].map(([, own]) => own);
  expect(marks).toEqual([...verdicts, ...verdicts].map((verdict) => `is-${verdict}`));
});

test('an unknown text is marked, and nothing of it is markup', () => {
  const html = renderAnnotated({
    blocks: blocksOf(`## __proto__\n\n${attacks}\n\n| ${attacks} |\n`),
    guardsOf,
  });
  expect(html).toContain('uncovered');
  expect(html).not.toMatch(/<script|<img|<svg|href="javascript/);
});

test('the errata of a requirement are with it', () => {
  const page = renderAnnotated({ blocks: blocksOf(text), guardsOf });
  const [, item = ''] = page.split('id="wait.refused"');
  expect(item.slice(0, 600)).toMatch(/Erratum of 2026-11-23: published as a must, counts as a should/);
});
