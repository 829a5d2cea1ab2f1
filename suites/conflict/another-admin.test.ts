import { expect, test } from 'vitest';
import type { Deployment, HttpRequest } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

const busy = 'A response is already generating in this chat.';

/** The first messages of another admin of the first organization get 409, `most` of them. */
const refusingAnother =
  (most: number, detail: string) =>
  (behind: Deployment, _clock: unknown, { principals, organizations }: Target): Deployment => {
    const organization = organizations.find(({ chats }) => chats.length > 0)?.id ?? '';
    const [, another] = principals.filter(({ adminOf }) => adminOf.includes(organization));
    let refused = 0;
    const isAnothers = ({ path, headers }: HttpRequest) =>
      path.includes(`/${organization}/chats/`) && headers['authorization'] === `Bearer ${another?.key}`;
    return async (request) => {
      if (!isAnothers(request) || refused >= most) return behind(request);
      refused += 1;
      const body = Buffer.from(JSON.stringify({ error: { title: 'Conflict', detail } }));
      return { ...errorAnswer(409), body };
    };
  };

test.each([
  ['each time with the error of a busy chat', 99, busy, [/^failed: .* each of 3 times$/]],
  [
    'each time with an error for every conflict',
    99,
    'Conflict',
    [/^blocked: \w+, another admin, may not use the chat: 409/],
  ],
  ['once with the error of a busy chat', 1, busy, [/^blocked: the chat was busy once: 409/]],
  ['each time with another error', 99, 'Only members.', [/^blocked: \w+, another admin, may not use the chat: 409/]],
  ['never', 0, busy, []],
] as const)('another admin is refused %s', async (_when, most, detail, said) => {
  const through = refusingAnother(most, detail);
  expect(await saidBy('conflict.ends/another-admin', { through })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});
