import { expect, test } from 'vitest';
import { usedUpLines } from './used-up-lines.ts';

const nothing = { runId: 'abc', deletions: [], attachments: [], messages: [] };
const deletion = (dataSourceId: string, certain = true) => ({ organizationId: 'o', dataSourceId, certain });

test.each([
  [{}, []],
  [
    { deletions: [deletion('ds_1'), deletion('ds_2', false)] },
    ['data sources deleted: ds_1 of o, ds_2 of o (perhaps: no answer told)'],
  ],
  [
    { attachments: [{ billingAccountId: 'ba', organizationId: 'org', certain: true }] },
    ['organizations attached: org to ba'],
  ],
  [
    { messages: [{ organizationId: 'o', chatId: 'c\u001b', count: 1 }] },
    [String.raw`1 message sent to c\u001b; the idempotency keys of this run begin with awc-abc`],
  ],
])('%j', (used, lines) => {
  expect(usedUpLines({ ...nothing, ...used })).toEqual(lines);
});

test('of many things some are named', () => {
  const deletions = Array.from({ length: 40 }, (_, index) => deletion(`ds_${index}`));
  expect(usedUpLines({ ...nothing, deletions })[0]).toMatch(/ds_11 of o and 28 more$/);
});
