import { expect, test } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { codeBlock, plainText } from '../text/markdown-text.ts';
import { checks, sampleRecord } from '../../testing/samples/run-records.ts';

test('the sections come worst first, and what the run used up last', () => {
  const deletion = { organizationId: 'org_1', dataSourceId: 'ds_<1>', certain: true };
  const usedUp = { runId: 'run-1', deletions: [deletion], attachments: [], messages: [] };
  const text = renderMarkdown(sampleRecord({ usedUp }));
  const titles = [...text.matchAll(/^#+ .*/gm)].map(([title]) => title);
  expect(titles).toEqual([
    '## Nonconformant: 1 of 5 requirements violated.',
    '### Failed: 1',
    '### No verdict: 1',
    '### Warned: 1',
    '### Blocked (not exercised), by reason',
    '### Observed where the specification leaves a choice',
    '### Used up',
  ]);
  expect(text).toMatch(/### Used up\n\n- .*ds&#95;&#60;1&#62;/);
  expect(text).toContain('| lists | 3 |  | 1 | 1 | 1 |  |');
  expect(text).toContain("```sh\ncurl 'https://example.test/'\n```");
});

test.each([
  ['<img src=x onerror=alert(1)>', '&#60;img src=x onerror=alert&#40;1&#41;&#62;'],
  ['[a](javascript:x) ![b](//c)', '&#91;a&#93;&#40;javascript:x&#41; &#33;&#91;b&#93;&#40;//c&#41;'],
  ['a | b `c` *d* _e_ ~f~', 'a &#124; b &#96;c&#96; &#42;d&#42; &#95;e&#95; &#126;f&#126;'],
  ['https://evil.test www.evil.test', 'https&#58;//evil.test www&#46;evil.test'],
  ['@someone #1 $x$ &lt;', '&#64;someone &#35;1 &#36;x&#36; &#38;lt;'],
  ['- item', '&#45; item'],
  ['12. item', '12&#46; item'],
  ['1.2.3 stays', '1.2.3 stays'],
  ['two\nlines \u202e\u001b[31m', 'two&#92;u000alines &#92;u202e&#92;u001b&#91;31m'],
])('%j is text', (text, expected) => {
  expect(plainText(text, 1000)).toBe(expected);
});

test('code cannot leave its fence', () => {
  expect(codeBlock('sh', 'a ````\n``` b')).toBe('`````sh\na ````\\u000a``` b\n`````');
});

test('a summary stays within what GitHub takes, and says what was left out', () => {
  const many = checks
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap((check) =>
      Array.from({ length: 2000 }, (_, index) => {
        return { ...check, requirement: `lists.r${index}`, actual: '🦉'.repeat(900) };
      }),
    );
  const text = renderMarkdown(sampleRecord({ checks: many }));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
  expect(Buffer.byteLength(text)).toBeGreaterThan(1_000_000);
  expect(text).toMatch(/_This summary is full: report\.json has \d+ more parts\._\n$/);
});

test('the consequences of a cause are folded under it', () => {
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const walk = failed.map((check) => ({ ...check, id: 'paging.walk/listModels', requirement: 'paging.walk' }));
  const partitions = failed.map((check) => ({
    ...check,
    id: 'models.filter-partition',
    requirement: 'models.filter-partition',
  }));
  const text = renderMarkdown(sampleRecord({ checks: [...partitions, ...walk] }));
  const [, section = ''] = text.split('### Failed: 2\n');
  expect(section.indexOf('paging&#46;walk/listModels')).toBeLessThan(section.indexOf('<details>'));
  expect(section).toMatch(/<summary>Explains 1 consequence<\/summary>\n\n[^]*filter-partition[^]*\n<\/details>/);
});
