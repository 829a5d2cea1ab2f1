import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** A deployment that also finds a billing account by the ID of its owner. */
const findingByOwner =
  (behind: Deployment): Deployment =>
  (request) =>
    behind({
      ...request,
      path: request.path.replace(/\/billing-accounts\/org_owner$/, '/billing-accounts/ba_a6a4pkq98r'),
    });

test('an account is not found by the ID of its owner', async () => {
  const [said] = await saidBy('billing.unknown', { through: findingByOwner });
  expect(said).toBe('failed: expected for "org_owner", another account or none; got "ba_a6a4pkq98r"');
  expect(await saidBy('billing.unknown', {})).toEqual([]);
});
