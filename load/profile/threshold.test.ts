import { expect, test } from 'vitest';
import { isMet, parseThreshold } from './threshold.ts';

test.each([
  [
    'listModels.latency.p99 < 250ms',
    { operation: 'listModels', measure: { kind: 'latency', point: 'p99' }, comparator: '<', bound: 250 },
  ],
  [
    'latency.p999<=1.5s',
    { operation: undefined, measure: { kind: 'latency', point: 'p999' }, comparator: '<=', bound: 1500 },
  ],
  ['service.max < 500us', { measure: { kind: 'service', point: 'max' }, bound: 0.5 }],
  ['errors.rate < 0.1%', { measure: { kind: 'share', of: 'errors' }, bound: 0.001 }],
  [
    'sendMessage.rateLimited.rate < 5%',
    { operation: 'sendMessage', measure: { kind: 'share', of: 'rateLimited' }, bound: 0.05 },
  ],
  ['violations == 0', { operation: undefined, measure: { kind: 'violations' }, comparator: '==', bound: 0 }],
  [
    '  throughput > 500/s ',
    { measure: { kind: 'throughput' }, comparator: '>', bound: 500, text: 'throughput > 500/s' },
  ],
])('%s is a threshold', (text, expected) => {
  expect(parseThreshold(text)).toMatchObject(expected);
});

test.each([
  ['', 'must be a comparison'],
  ['latency.p99', 'must be a comparison'],
  ['latency.p99 != 3ms', 'must be a comparison'],
  ['latency.p99 < 3ms < 4ms', 'must be a comparison'],
  ['latency.p98 < 250ms', 'did you mean latency.p9'],
  ['listModel.latency.p99 < 250ms', 'measures "listModel.latency.p99", which does not exist'],
  ['listModels.latancy.p99 < 250ms', 'did you mean listModels.latency.p99?'],
  ['errors < 1%', 'measures "errors"'],
  ['errors.rate < 0.01', 'must end with a share such as 0.1%, not with "0.01"'],
  ['latency.p99 < 250', 'must end with a time such as 250ms'],
  ['throughput > 500', 'must end with a rate such as 500/s'],
  ['violations == 0.5', 'must end with a whole number'],
  [`latency.p99 < ${'9'.repeat(200)}ms`, 'must be a comparison'],
])('%s is none', (text, problem) => {
  expect(parseThreshold(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test.each([
  ['oppen.latency.p50 < 1s', 'did you mean open.latency.p50?'],
  ['followup.errors.rate < 1%', 'did you mean followUp.errors.rate?'],
  ['flw.throughput > 1/s', 'did you mean flow.throughput?'],
  ['listModel.latency.p99 < 1s', 'did you mean listModels.latency.p99?'],
  ['oppen.latancy.p50 < 1s', 'did you mean open.latency.p50?'],
  ['open.latancy.p50 < 1s', 'did you mean open.latency.p50?'],
  ['checkout.latency.p50 < 1s', 'known: flow, open, followUp, listModels,'],
])('%s is about a name that does not exist', (text, advice) => {
  expect(parseThreshold(text, ['flow', 'open', 'followUp'])).toEqual({ problem: expect.stringContaining(advice) });
});

test.each([
  [1, '<', 2, true],
  [2, '<', 2, false],
  [2, '<=', 2, true],
  [2, '>', 2, false],
  [2, '>=', 2, true],
  [2, '==', 2, true],
  [1, '==', 2, false],
] as const)('%d %s %d is %s', (value, comparator, bound, expected) => {
  expect(isMet({ comparator, bound }, value)).toBe(expected);
});
