import { expect, test } from 'vitest';
import type { TrialOptions } from '../proof/trial.ts';
import { saidBy } from '../testing/said-by.ts';

/** Some responses are made twice, so that the next message follows a message that no answer shows. */
const answeredTwice: NonNullable<TrialOptions['through']> = (behind) => {
  const parents = new Map<string, string>();
  return async (request) => {
    const answer = await behind(request);
    if (!request.path.includes('/messages') || answer.status >= 300) return answer;
    const body: { readonly data: { readonly userMessage: { readonly id: string; readonly parentId: string | null } } } =
      JSON.parse(Buffer.from(answer.body).toString());
    const { userMessage } = body.data;
    const usual = userMessage.parentId ?? '';
    const parentId = parents.get(userMessage.id) ?? (parents.size % 3 === 2 ? `${usual}-again` : usual);
    parents.set(userMessage.id, parentId);
    const data = { ...body.data, userMessage: { ...userMessage, parentId } };
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
  };
};

test('a message that follows an unknown one may be due to another client or to a response that was made twice', async () => {
  const said = await saidBy('conflict.no-trace', { through: answeredTwice, after: ['idempotency.no-duplicate'] });
  expect(said).toEqual([
    expect.stringMatching(
      /^blocked: .*a message of chat .* follows one that no answer showed: other traffic writes to the chat, .* or the deployment made a response twice/,
    ),
  ]);
});
