import { expect, test } from 'vitest';
import { sampleLoadRecord } from '../../../testing/samples/load-records.ts';
import { renderLoadHtml } from './html.ts';

test('the heading shows how many answers were checked, and how many of them violate a requirement', () => {
  const { validation } = sampleLoadRecord();
  const page = renderLoadHtml(sampleLoadRecord({ validation: { ...validation, checked: 1234, broken: 56 } }));
  expect(page).toContain('<b>1,234</b> <span>checked</span>');
  expect(page).toContain('<b>56</b> <span>violating answers</span>');
});
