import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment, HttpRequest } from '../../core/http.ts';
import { check } from '../../engine/check.ts';
import { runTrial } from '../../proof/trial.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { givenPace, meanwhile } from '../../stage/chats/pace.ts';
import { send } from '../../stage/chats/sending.ts';
import { mustNotBeDueToRefusal } from './due-to-refusal.ts';

/** How often another client looks whether a chat is idle, in milliseconds, and how often at most. */
const everyMs = 100;
const most = 100;

/** Another client sends a message to a chat, once it is idle, after each answer that `writesAfter` names; `nth` counts the accepted messages. */
function otherClient(writesAfter: (status: number, nth: number) => boolean) {
  return (behind: Deployment, clock: Clock): Deployment => {
    let accepted = 0;
    async function writeOnce(request: HttpRequest): Promise<void> {
      for (let look = 0; look < most; look += 1) {
        await clock.sleep(everyMs);
        if ((await behind({ ...request })).status !== 409) return;
      }
    }
    return async (request) => {
      const answer = await behind(request);
      if (!request.path.includes('/chats/')) return answer;
      if (answer.status < 300) accepted += 1;
      if (writesAfter(answer.status, accepted)) {
        const { 'idempotency-key': _key, ...headers } = request.headers;
        void writeOnce({ ...request, headers, path: request.path.replace(/\?.*/, ''), body: '{"message":"Hello?"}' });
      }
      return answer;
    };
  };
}

/** The comparison alone: in the suite, it follows a violation that other traffic may explain. */
const comparison = check('conflict.no-trace', { uses: ['messages'] }, async (api) => {
  const pace = await givenPace(api);
  const chat = await givenIdleChat(api);
  const { slowPrompt: message } = api.session.target.assistant;
  await mustNotBeDueToRefusal(api, chat, pace, async () => {
    await api.session.clock.sleep(meanwhile(pace, 300));
    return [await send(api, chat, { message })];
  });
});

const accepted = (every: number) => (status: number, nth: number) => status < 300 && nth % every === 0;

test.each([
  [
    'each refused message',
    (status: number) => status === 409,
    [/^expected the chat idle .* and after none of 4 others$/],
  ],
  ['nothing', () => false, []],
  ['each accepted message', accepted(1), []],
  ['every second message', accepted(2), []],
  ['every third message', accepted(3), []],
  ['every fourth message', accepted(4), []],
  ['every fifth message', accepted(5), []],
] as const)('another client that writes after %s', async (_when, writesAfter, said) => {
  const trial = { seed: 1, faults: [], choices: {} };
  const findings = await runTrial(trial, { checks: [comparison], through: otherClient(writesAfter) });
  expect(findings.map(({ text }) => text)).toEqual(said.map((text) => expect.stringMatching(text)));
});
