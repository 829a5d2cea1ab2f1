import { expect, test } from 'vitest';
import { checks } from '../../testing/samples/run-records.ts';
import { findingGroups } from './finding-groups.ts';

test('the plain check of a requirement is read before its variants', () => {
  const [sample] = checks;
  if (sample === undefined) throw new Error('there is no sample of a check');
  const violated = ['billing.record/at-last', 'billing.record', 'billing.record/after-attach'].map((id) => ({
    ...sample,
    id,
    requirement: 'billing.record',
    level: 'must' as const,
    verdict: 'failed' as const,
  }));
  const [group] = findingGroups({ checks: violated }, 'failed');
  expect([group?.first.id, group?.others.map(({ id }) => id)]).toEqual([
    'billing.record',
    ['billing.record/at-last', 'billing.record/after-attach'],
  ]);
});
