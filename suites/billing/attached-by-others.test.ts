import { expect, test } from 'vitest';
import { at } from '../../core/json.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** 15 s after this run has attached something, another client has attached some organizations too: to its account, or to the others. */
const attaching =
  (more: number, where: 'own' | 'others'): NonNullable<TrialOptions['through']> =>
  (behind, clock, { billingAccounts }) => {
    const [own] = billingAccounts;
    let attachedAt = Number.POSITIVE_INFINITY;
    return async (request) => {
      const answer = await behind(request);
      const isAttachment = request.method === 'POST' && request.path.endsWith('/organizations');
      if (isAttachment && answer.status < 300) attachedAt = Math.min(attachedAt, clock.now());
      const isOwn = request.path.endsWith(`/${own?.id}`);
      const isCount = request.method === 'GET' && request.path.includes('/billing-accounts/') && answer.status === 200;
      if (!isCount || clock.now() < attachedAt + 15_000 || isOwn !== (where === 'own')) return answer;
      const body: { readonly data: Record<string, unknown> } = JSON.parse(Buffer.from(answer.body).toString());
      body.data['organizationCount'] = Number(at(body, 'data', 'organizationCount')) + more;
      return { ...answer, body: Buffer.from(JSON.stringify(body)) };
    };
  };

test.each([
  [
    1,
    expect.stringMatching(
      /^blocked: organizationCount of .* rose by fewer than the \d that this run attached elsewhere/,
    ),
  ],
  [9, expect.stringMatching(/^failed: expected organizationCount of .* unchanged, because nothing was attached to it/)],
])('%i organizations that appear in another account at the end', async (more, said) => {
  expect(await saidBy('attach.count/others-at-last', { through: attaching(more, 'others') })).toEqual([said]);
});

test.each([
  [
    9,
    expect.stringMatching(
      /^blocked: organizationCount rose by \d+ more than this run attached, which denied attachments of \d organizations cannot explain/,
    ),
  ],
  [
    1,
    expect.stringMatching(
      /^blocked: .* what was denied counts when it is attached now: another client attached others$/,
    ),
  ],
])('%i organizations that appear in the account at the end', async (more, said) => {
  expect(
    await saidBy('access.denied-no-effect/attachOrganization/at-last', { through: attaching(more, 'own') }),
  ).toEqual([said]);
});
