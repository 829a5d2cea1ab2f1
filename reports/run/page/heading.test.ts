import { expect, test } from 'vitest';
import { checks, sampleRecord } from '../../../testing/samples/run-records.ts';
import { renderHtml } from './html.ts';

test('the count of a tile has a thousands separator, as that of the requests', () => {
  const { summary } = sampleRecord();
  const record = sampleRecord({ requests: 12_345, summary: { ...summary, passed: 1234 } });
  const page = renderHtml(record);
  expect(page).toContain('12,345 requests');
  expect(page).toContain('<b>1,234</b>');
});

/** The links in the heading to requirements that failed, each with its note. */
function broken(...failed: readonly string[]): readonly string[] {
  const [sample] = checks;
  if (sample === undefined) throw new Error('there is no sample of a check');
  const record = sampleRecord({
    checks: failed.map((id) => {
      return { ...sample, id, title: 'A sentence.', requirement: id.split('/')[0] ?? id, verdict: 'failed' };
    }),
    requirements: [],
  });
  const list = /<ul class="broken">(.*?)<\/ul>/s.exec(renderHtml(record))?.[1] ?? '';
  return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) => item.replaceAll(/<[^>]*>/g, ''));
}

test('the heading names causes, each with what it explains, and no consequence', () => {
  const items = broken('models.filter-partition', 'paging.walk/listModels', 'paging.walk', 'billing.record');
  expect(items).toEqual([
    'A sentence. paging.walk, explains 1 more check of this requirement and 1 consequence',
    'A sentence. billing.record',
  ]);
});

test('a long list of causes in the heading is cut, with the number of the others', () => {
  const items = broken(...Array.from({ length: 7 }, (_, index) => `area.number-${index}`));
  expect(items.length).toBe(6);
  expect(items.at(-1)).toBe('and 2 more causes');
});
