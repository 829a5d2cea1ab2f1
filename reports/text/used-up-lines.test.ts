import { expect, test } from 'vitest';
import { usedUpLines } from './used-up-lines.ts';

const nothing = { runId: 'abc', deletions: [], attachments: [], messages: [] };
const deletion = (dataSourceId: string, certain = true) => ({ organizationId: 'o', dataSourceId, certain });

test.each([
  [{}, []],
  [
    { deletions: [deletion('ds_1'), deletion('ds_2', false)] },
    ['deleted data sources: ds_1 of o, ds_2 of o (perhaps: no conclusive answer)'],
  ],
  [
    { attachments: [{ billingAccountId: 'ba', organizationId: 'org', certain: true }] },
    ['attached organizations: org to ba'],
  ],
  [
    { messages: [{ organizationId: 'o', chatId: 'c\u001b', count: 1 }] },
    [String.raw`1 message sent to c\u001b; idempotency keys begin with awc-abc`],
  ],
])('%j', (used, lines) => {
  expect(usedUpLines({ ...nothing, ...used })).toEqual(lines);
});

test('of many things five are named', () => {
  const deletions = Array.from({ length: 40 }, (_, index) => deletion(`ds_${index}`));
  expect(usedUpLines({ ...nothing, deletions })[0]).toMatch(/ds_4 of o and 35 more$/);
});
