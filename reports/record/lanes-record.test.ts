import { expect, test } from 'vitest';
import { createRedactor } from '../../core/redaction/redact.ts';
import type { Exchange } from '../../core/exchange.ts';
import { lanesRecord } from './check-record.ts';

const redactor = createRedactor([{ key: 'secret-key-of-alice', variable: '$KEY' }]);

function exchange(sentAt: number, receivedAt: number): Exchange {
  return {
    operation: 'sendMessage',
    caller: 'alice',
    request: { method: 'POST', path: '/chats/c/messages?wait=3', headers: {}, timeoutMs: 1000 },
    sentAt,
    receivedAt,
    outcome: { kind: 'answered', response: { status: 202, headers: {}, body: new Uint8Array() } },
  };
}

test('requests are recorded in the order of sending up to the failure, bounded and without keys', () => {
  const late = { exchange: exchange(900, 910), shows: 'after the failure' };
  const first = { exchange: exchange(100, 400), shows: 'secret-key-of-alice\u001b[2J' };
  const second = { exchange: exchange(200, 300.4), shows: 'message 2' };
  const recorded = lanesRecord({ requests: [second, late, first], failsAt: 400 }, redactor);
  expect(recorded.requests.map(({ shows }) => shows)).toEqual([expect.stringContaining('$KEY'), 'message 2']);
  expect(JSON.stringify(recorded)).not.toMatch(/secret|\u001b/);
  expect(recorded).toMatchObject({
    requests: [
      { caller: 'alice', request: 'sendMessage wait=3', answer: '202', sentMs: 0, answeredMs: 300 },
      { sentMs: 100, answeredMs: 200 },
    ],
    failsMs: 300,
  });
  const many = Array.from({ length: 100 }, (_, index) => ({ exchange: exchange(index, index + 1), shows: '' }));
  expect(lanesRecord({ requests: many, failsAt: 1000 }, redactor).requests).toHaveLength(40);
});
