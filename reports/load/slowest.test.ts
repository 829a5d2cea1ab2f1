import { expect, test } from 'vitest';
import { sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { type LoadRecord, loadRecordSchema } from './load-record.ts';
import { renderLoadTerminal } from './load-terminal.ts';
import { renderLoadHtml } from './page/html.ts';

const { slowest } = sampleLoadRecord();

test('a record of an earlier version has no slowest requests, and none may have another ID than that of a trace', () => {
  const { slowest: _slowest, ...earlier } = sampleLoadRecord();
  expect(loadRecordSchema.parse(earlier).slowest).toEqual([]);
  expect(loadRecordSchema.parse(sampleLoadRecord()).slowest).toEqual(slowest);
  const [first] = slowest;
  expect(loadRecordSchema.safeParse({ ...earlier, slowest: [{ ...first, traceId: 'x' }] }).success).toBe(false);
});

function slowestLines(requests: LoadRecord['slowest']): readonly string[] {
  const text = renderLoadTerminal(sampleLoadRecord({ slowest: requests }), { color: false });
  return text.split('\n').filter((line) => line.startsWith('Slowest'));
}

test('the terminal shows the slowest request of the slowest operations, with its link or its whole trace ID', () => {
  expect(slowestLines(slowest)).toEqual([
    `Slowest listModels: timeout in 30000 ms at 30.3 s, trace https://tracing.example.com/trace/${'1'.repeat(32)}`,
    `Slowest getBillingAccount: 503 in 1204 ms at 12.3 s, trace ${'2'.repeat(32)}`,
  ]);
  const operations = ['listModels', 'sendMessage', 'listDataSources', 'getBillingAccount'] as const;
  const many = slowest.slice(0, 1).flatMap((one) => operations.map((operation) => ({ ...one, operation })));
  expect(slowestLines(many)).toHaveLength(3);
  expect(slowestLines([])).toEqual([]);
});

const stepped = sampleLoadRecord({
  steps: [
    { ...step('flow'), slowest: [] },
    { ...step('open'), slowest: slowest.slice(0, 2) },
    { ...step('<ask>'), slowest: slowest.slice(1, 2) },
  ],
});

function step(name: string) {
  return { name, operation: 'listModels' as const, sent: 2, withheld: 0, capped: 0, broken: 0, outcomes: [] };
}

test('of a flow, the terminal shows the slowest request of the slowest steps', () => {
  const text = renderLoadTerminal(stepped, { color: false });
  expect(text.split('\n').filter((line) => line.startsWith('Slowest'))).toEqual([
    `Slowest open: timeout in 30000 ms at 30.3 s, trace https://tracing.example.com/trace/${'1'.repeat(32)}`,
    'Slowest <ask>: 200 in 1204 ms at 12.3 s, trace https://tracing.example.com/trace/0af7651916cd43dd8448eb211c80319c',
  ]);
});

test('of a flow, the page shows the slowest requests by step too', () => {
  const page = renderLoadHtml(stepped);
  expect(page).toMatch(/<h2 id="slow-steps-title">[^]*<th scope="row">open<\/th>/);
  expect(page).toContain('<th scope="row">&#60;ask&#62;</th>');
  expect(page).toContain('id="slowest"');
  expect(renderLoadHtml(sampleLoadRecord())).not.toContain('id="slow-steps"');
});

test('the page shows all of them by operation, with a link only where it is one', () => {
  const hostile = slowest.map((one) => ({ ...one, traceUrl: 'javascript:alert(1)' }));
  const page = renderLoadHtml(sampleLoadRecord());
  expect(page).toMatch(/<h2 id="slowest-title">[^]*<th scope="row">listModels<\/th>/);
  expect(page).toContain(
    `<td class="number"><a href="https://tracing.example.com/trace/${'1'.repeat(32)}">${'1'.repeat(32)}</a></td>`,
  );
  expect(page).toContain(`<td class="number"><code>${'2'.repeat(32)}</code></td>`);
  expect(renderLoadHtml(sampleLoadRecord({ slowest: hostile }))).not.toContain('javascript:');
  expect(renderLoadHtml(sampleLoadRecord({ slowest: [] }))).not.toContain('id="slowest"');
});
