import { expect, test } from 'vitest';
import { sampleRecord } from '../../../testing/samples/run-records.ts';
import { renderHtml } from './html.ts';

test('the count of a tile has a thousands separator, as that of the requests', () => {
  const { summary } = sampleRecord();
  const record = sampleRecord({ requests: 12_345, summary: { ...summary, passed: 1234 } });
  const page = renderHtml(record);
  expect(page).toContain('12,345 requests');
  expect(page).toContain('<b>1,234</b>');
});
