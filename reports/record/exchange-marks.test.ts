import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { createRedactor } from '../../core/redaction/redact.ts';
import { checks, sampleRecord } from '../../testing/samples/run-records.ts';
import { formats } from '../run/formats.ts';
import { renderTerminal } from '../run/terminal.ts';
import { exchangeRecord } from './exchange-record.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const exchange: Exchange = {
  operation: 'listModels',
  caller: 'alice',
  request: { method: 'GET', path: '/a', headers: {}, timeoutMs: 1, trace: { traceId, spanId: '00f067aa0ba902b7' } },
  sentAt: 0,
  receivedAt: 1,
  outcome: {
    kind: 'answered',
    response: { status: 200, headers: { 'x-request-id': 'req-1 secret-of-alice \u001b[31m' }, body: new Uint8Array() },
  },
};
const redactor = createRedactor([{ key: 'secret-of-alice', variable: '$A' }]);
const target = {
  baseUrl: 'https://t.example',
  requestIdHeader: 'x-request-id',
  traceLink: 'https://tracing.example.com/?id={traceId}',
};

test('an exchange shows its trace, and the request id of the deployment without keys', () => {
  const record = exchangeRecord(exchange, target, redactor);
  const traceUrl = `https://tracing.example.com/?id=${traceId}`;
  expect(record).toMatchObject({ traceId, traceUrl, requestId: 'req-1 $A \\u001b[31m' });
  const plain = exchangeRecord(exchange, { baseUrl: target.baseUrl }, redactor);
  expect([plain.traceId, plain.traceUrl, plain.requestId]).toEqual([traceId, undefined, undefined]);
});

const { badge: _badge, github: _github, ...withExchanges } = formats;

test.each([...Object.keys(withExchanges), 'terminal'])('%s shows trace and request id beside the exchange', (name) => {
  const shownExchange = exchangeRecord(exchange, target, redactor);
  const failed = checks
    .filter(({ verdict }) => verdict === 'failed')
    .map((check) => ({ ...check, exchanges: [shownExchange] }));
  const render = Object.entries(withExchanges).find(([format]) => format === name)?.[1];
  const record = sampleRecord({ checks: failed });
  const text = render === undefined ? renderTerminal(record, { color: false }) : render(record);
  expect(text).toContain(traceId);
  expect(text).toContain('req-1');
});
