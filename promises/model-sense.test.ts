import { expect, test } from 'vitest';
import { modelSenses } from './model-sense.ts';

test.each([
  ['[1, 2, "1", true, "true"]', true],
  ['[9007199254740992, 9007199254740993]', true],
  ['[-9007199254740993, -9007199254740992, 7]', true],
  ['[9007199254740992, 7, 7]', false],
  ['["é", "é"]', false],
  ['[1.0, 1]', false],
  ['[1, null]', false],
])('samples %s: distinct is %s', (samples, distinct) => {
  const promise = modelSenses.find(({ requirement }) => requirement === 'models.samples-distinct');
  const record: unknown = JSON.parse(`{"columns":[{"name":"id","sampleValues":${samples}}]}`);
  expect(promise?.judge({ record }) === 'kept').toBe(distinct);
});

test.each([
  ['models.verified-after-created', { createdAt: '2026-02-01T00:00:00Z', verifiedAt: '2026-02-01T00:00:00Z' }, 'kept'],
  [
    'models.verified-after-created',
    { createdAt: '2026-02-01T00:00:00.003Z', verifiedAt: '2026-02-01T00:00:00.000Z' },
    'kept',
  ],
  [
    'models.verified-after-created',
    { createdAt: '2026-02-01T00:00:00Z', verifiedAt: '0001-01-01T00:00:00Z' },
    'broken',
  ],
  ['models.verified-after-created', { createdAt: '2026-02-01T00:00:00Z', verifiedAt: null }, 'nothing'],
  ['models.verified-by', { verifiedAt: null, verifiedByMemberId: null }, 'kept'],
  ['models.verified-by', { verifiedAt: null }, 'kept'],
  ['models.verified-by', { verifiedAt: null, verifiedByMemberId: '0' }, 'broken'],
  ['models.verified-by', { verifiedAt: '2026-02-01T00:00:00Z', verifiedByMemberId: null }, 'nothing'],
])('%s of %o is %s', (requirement, record, said) => {
  const judgement = modelSenses.find((promise) => promise.requirement === requirement)?.judge({ record });
  expect(typeof judgement === 'object' ? 'broken' : (judgement ?? 'nothing')).toBe(said);
});
