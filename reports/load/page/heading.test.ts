import { expect, test } from 'vitest';
import { sampleLoadRecord } from '../../../testing/samples/load-records.ts';
import { renderLoadHtml } from './html.ts';

test('the heading shows how many answers were checked, and how many of them violate a requirement', () => {
  const { validation } = sampleLoadRecord();
  const page = renderLoadHtml(sampleLoadRecord({ validation: { ...validation, checked: 1234, broken: 56 } }));
  expect(page).toContain('<b>1,234</b> <span>checked</span>');
  expect(page).toContain('<b>56</b> <span>violating answers</span>');
});

test('a dash has no unit', () => {
  const { capacity: _capacity, ...record } = sampleLoadRecord({ facts: [] });
  const few = { count: 5, min: 1, mean: 1, p50: 1, p75: 1, p90: 1, p95: 1, p99: 1, p999: 1, max: 1, hdr: '' };
  const steps = record.steps.map((step) => ({
    ...step,
    outcomes: step.outcomes.map((outcome) => ({ ...outcome, latency: few })),
  }));
  expect(renderLoadHtml({ ...record, steps })).toContain('<b>–</b> <span>p99 of a flow</span>');
});
