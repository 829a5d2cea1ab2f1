import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';
import { withBody } from '../../testing/sequence-world.ts';

test('an attachment of another client at the moment of a limited one is no violation', async () => {
  let others = 0;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      if (!request.path.includes('/billing-accounts/')) return behind(request);
      if (request.method === 'GET')
        return withBody((body) => {
          const data = Object(body.data);
          return { ...body, data: { ...data, organizationCount: Number(data.organizationCount) + others } };
        })(request, behind);
      const answer = await behind(request);
      if (answer.status === 429) others = 1;
      return answer;
    };
  expect(await saidBy('attach.refused-no-effect/limited', { through })).toEqual([
    expect.stringMatching(/^blocked: organizationCount rose while \S+ was not attached, and again with its attachment/),
  ]);
});
