import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { check } from '../../engine/check.ts';
import { runTrial } from '../../proof/trial.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { mustNotBeDueToRepetition } from './due-to-repetition.ts';

/** How long a refused chat is busy, in milliseconds. */
const busyMs = 200;

/** A chat is busy for a moment after each message that `isBusyAfter` names: the nth of its key. */
function busyAfter(isBusyAfter: (nth: number, messages: number) => boolean) {
  return (behind: Deployment, clock: Clock): Deployment => {
    const times = new Map<string, number>();
    const busyUntil = new Map<string, number>();
    let messages = 0;
    return async (request) => {
      const [chat] = /\/chats\/[^/]+/.exec(request.path) ?? [];
      const key = request.headers['idempotency-key'];
      if (chat === undefined || key === undefined) return behind(request);
      const nth = (times.get(key) ?? 0) + 1;
      if (nth === 1 && clock.now() < (busyUntil.get(chat) ?? 0)) return errorAnswer(409);
      times.set(key, nth);
      const answer = await behind(request);
      messages += nth === 1 && answer.status < 300 ? 1 : 0;
      if (answer.status < 300 && isBusyAfter(nth, messages)) busyUntil.set(chat, clock.now() + busyMs);
      return answer;
    };
  };
}

/** The comparison alone: in the suite, it follows a violation that other traffic may explain. */
const comparison = check('idempotency.no-duplicate', { uses: ['messages'] }, async (api) =>
  mustNotBeDueToRepetition(api, await givenIdleChat(api)),
);

test.each([
  ['a repetition', (nth: number) => nth > 1, [/^expected the chat still idle .*; got 409 after each of 4 rep/]],
  ['nothing', () => false, []],
  ['every third message or repetition', (_nth: number, messages: number) => messages % 3 === 0, []],
] as const)('a chat that is busy after %s', async (_when, isBusyAfter, said) => {
  const trial = { seed: 1, faults: [], choices: {} };
  const findings = await runTrial(trial, { checks: [comparison], through: busyAfter(isBusyAfter) });
  expect(findings.map(({ text }) => text)).toEqual(said.map((text) => expect.stringMatching(text)));
});
