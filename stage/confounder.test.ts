import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { Api } from '../engine/api.ts';
import { createSession } from '../engine/session/session.ts';
import type { TrialOptions } from '../proof/trial.ts';
import { createReference } from '../reference/reference.ts';
import { givenChat, givenFinished } from './chats/conversation.ts';
import { confounderOf } from './confounder.ts';

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
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({
    deployment: answeredTwice(deployment, clock, target),
    target,
    clock,
    seed: 1,
    invariants: [],
  });
  const api = new Api(session, 'test');
  const { answer } = await givenFinished(api, await givenChat(api));
  expect(await confounderOf(api, [answer.exchange])).toMatch(
    /^a message of chat .* follows one that no answer showed: other traffic writes to the chat, .* or the deployment made a response twice/,
  );
});
