import { expect, test } from 'vitest';
import { renderGithub } from './github.ts';
import { checks, goneRecord, sampleRecord, waivedRecord } from '../../testing/samples/run-records.ts';

test('what failed, came to no verdict, warned and was blocked is annotated on the target file', () => {
  const lines = renderGithub(sampleRecord(), 'targets/a,b:c.yaml').trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.indexOf(',title=')))).toEqual([
    '::error file=targets/a%2Cb%3Ac.yaml,line=1',
    '::error file=targets/a%2Cb%3Ac.yaml,line=1',
    '::warning file=targets/a%2Cb%3Ac.yaml,line=1',
    '::warning file=targets/a%2Cb%3Ac.yaml,line=1',
  ]);
  expect(lines[2]).toMatch(/,title=paging\.limit-refused\/listModels%3A A sentence\.::expected 4xx; got 200$/);
});

test('the last annotation counts failures only', () => {
  const [failed, warned] = [
    checks.filter(({ verdict }) => verdict === 'failed'),
    checks.filter(({ verdict }) => verdict === 'warned'),
  ];
  const distinct = failed.flatMap((check) =>
    Array.from({ length: 10 }, (_, index) => ({ ...check, requirement: `paging.r${index}` })),
  );
  const many = warned.flatMap((check) => Array.from({ length: 30 }, () => check));
  const lines = renderGithub(sampleRecord({ checks: [...many, ...distinct] }))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.every((line) => line.startsWith('::error'))).toBe(true);
  expect(lines.join('\n')).not.toMatch(/more/);
});

test('a cause is annotated once, with the number of its consequences', () => {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const requirement = 'models.filter-partition';
  const partitions = failed.map((check) => ({ ...check, id: requirement, requirement }));
  const walks = failed.flatMap((check) =>
    ['listModels', 'listDataSources'].map((on) => ({ ...check, id: `paging.walk/${on}`, requirement: 'paging.walk' })),
  );
  const text = renderGithub(sampleRecord({ checks: [...partitions, ...walks] }));
  expect(text.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/\. Explains 1 more check of this requirement and 1 consequence$/),
  ]);
});

test('only what leaves a must unexercised is a warning, and it comes first; an optional hook is left out', () => {
  const [sample] = checks;
  const [first] = sampleRecord().requirements;
  if (sample === undefined || first === undefined) throw new Error('the sample is empty');
  const blocked = { ...sample, level: 'must', verdict: 'blocked' } as const;
  const record = sampleRecord({
    checks: [
      { ...blocked, id: 'a.b/pause', requirement: 'a.b', reason: 'set hooks.pause' },
      { ...blocked, id: 'a.c', requirement: 'a.c', level: 'should', reason: 'needs a hook' },
      { ...blocked, id: 'a.d', requirement: 'a.d', reason: 'needs chats' },
    ],
    requirements: [
      { ...first, id: 'a.b', level: 'must', verdict: 'passed' },
      { ...first, id: 'a.c', level: 'should', verdict: 'blocked' },
      { ...first, id: 'a.d', level: 'must', verdict: 'blocked' },
    ],
  });
  expect(renderGithub(record).trimEnd().split('\n')).toEqual([
    '::warning title=1 blocked check::needs chats',
    '::notice title=1 blocked check::needs a hook',
  ]);
});

test('a target that stopped answering is an error', () => {
  const unviolated = goneRecord().checks.filter(({ verdict }) => verdict === 'passed' || verdict === 'blocked');
  expect(renderGithub({ ...goneRecord(), checks: unviolated })).toMatch(
    /^::error title=No verdict::The deployment stopped answering after 1 of 2 checks\.\n/,
  );
});

test('a waiver that is out of date is annotated where it is written', () => {
  const [first, ...others] = waivedRecord().waivers;
  if (first === undefined) throw new Error('there is no sample');
  const stale = { ...first, state: 'stale', writtenAt: { file: 'ci/known,1.yaml', line: 7 } } as const;
  const lines = renderGithub(
    { ...waivedRecord(), checks: [], requirements: [], waivers: [stale, ...others] },
    'target.yaml',
  )
    .trimEnd()
    .split('\n');
  expect(lines[0]).toMatch(/^::error file=ci\/known%2C1\.yaml,line=7,title=Waiver or accepted gap out of date::/);
  expect(lines[1]).toMatch(/^::error file=target\.yaml,line=1,/);
});

test('a passing run annotates nothing', () => {
  expect(renderGithub(sampleRecord({ checks: [], requirements: [] }))).toBe('');
});

test('there are at most ten, and the last one counts the rest', () => {
  const many = checks
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap((check) => Array.from({ length: 30 }, (_, index) => ({ ...check, requirement: `paging.r${index}` })));
  const lines = renderGithub(sampleRecord({ checks: many }))
    .trimEnd()
    .split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe(
    '::error title=And 21 more failures::1 of 5 requirements violated. The report has all of them.',
  );
});

test('what a target says can neither end a command nor begin one', () => {
  const attack = 'x%0A\r\n::set-env name=A::b\n::stop-commands::t\u001b[31m,title=y';
  const evil = checks.map((check) => ({ ...check, title: attack, reason: attack, expected: attack, actual: attack }));
  const text = renderGithub(sampleRecord({ checks: evil }));
  for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^::(error|warning) title=[^:,]*::/);
  expect(text).not.toMatch(/(?!\n)\p{Cc}|%0A/u);
});
