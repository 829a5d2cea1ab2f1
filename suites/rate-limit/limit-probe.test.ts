import { expect, test } from 'vitest';
import type { Answer } from '../../core/exchange.ts';
import { atOnce } from '../../engine/at-once.ts';
import { answerTo } from '../../testing/answers/answer-to.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { untilRefused } from './limit-probe.ts';
import type { Send } from './limited-writes.ts';

/** Requests that are answered with these statuses, and the names of those that were sent. */
function requests(statuses: Readonly<Record<string, number>>) {
  const sent: string[] = [];
  const sends = Object.entries(statuses).map(([name, status]): Send => async (gate) => {
    await gate?.();
    sent.push(name);
    return answerTo('listModels', errorAnswer(status));
  });
  return { sent, sends };
}

async function times(count: number, send: Send): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) answers.push(await send());
  return answers;
}

test('requests take turns until one is refused, which is the only one from then on', async () => {
  const { sent, sends } = requests({ list: 200, invalid: 400, repeated: 429, deletion: 429 });
  await times(6, untilRefused(sends));
  expect(sent).toEqual(['list', 'invalid', 'repeated', 'repeated', 'repeated', 'repeated']);
});

test('the first one is sent alone at first, and the others follow', async () => {
  const { sent, sends } = requests({ list: 200, invalid: 400, repeated: 429 });
  await times(7, untilRefused(sends, 3));
  expect(sent.slice(0, 3)).toEqual(['list', 'list', 'list']);
  expect(sent.slice(3)).not.toContain('list');
  expect(sent.slice(-2)).toEqual(['repeated', 'repeated']);
});

test('requests that are sent at once wait for each other', async () => {
  const { sent, sends } = requests({ list: 200, invalid: 400 });
  const send = untilRefused(sends);
  await atOnce(4, (_, gate) => send(gate));
  expect(sent.toSorted()).toEqual(['invalid', 'invalid', 'list', 'list']);
});
