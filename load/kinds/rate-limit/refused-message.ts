import { parseJson, stringAt } from '../../../core/json.ts';
import { openChats } from '../../schedule/chat-turns.ts';
import { type LoadRequest, messageRequest } from '../../schedule/load-request.ts';
import type { Arrived } from '../../engine/sockets.ts';
import { refusedWritesName, type RefusedWrite, unclear, type WriteOptions } from './refused-write.ts';
import { sendPatiently } from './send-patiently.ts';

const replyWaitSeconds = 10;

/** A message to an idle chat; undefined where none may be written. */
export function refusedMessage({
  target,
  principal,
  limited,
  runId,
  timeoutMs,
}: WriteOptions): RefusedWrite | undefined {
  const { quickPrompt, slowPrompt } = target.assistant;
  const chat = target.allow.has('messages') ? openChats(target).find(({ admin }) => admin === principal) : undefined;
  if (chat === undefined) return undefined;
  let before: readonly string[] = [];

  const request = (text: string, part: string, waitSeconds?: number): LoadRequest =>
    messageRequest(target, chat, { text, key: `awc-${runId}-${part}`, waitSeconds, timeoutMs });

  return {
    async prepare() {
      const answer = await sendPatiently(limited, request(quickPrompt, 'before', replyWaitSeconds));
      if (answer.outcome === 200)
        before = ['userMessage', 'assistantMessage'].flatMap((part) => idOf(answer, part, 'id'));
      return before.length > 0;
    },
    // The slow prompt, so that a chat which answers it is seen to be busy.
    attempt: async () => (await limited.send(request(slowPrompt, 'refused'))).shot.kind === 'limited',
    async verify() {
      const answer = await sendPatiently(limited, request(quickPrompt, 'after'));
      const [parentId] = idOf(answer, 'userMessage', 'parentId');
      const fact = (value: string, verdict: 'good' | 'bad') => ({ name: refusedWritesName, value, verdict });
      if (answer.outcome === 409) return fact('a message that got 429 is being answered', 'bad');
      if (parentId === undefined) return unclear('whether a message that got 429 was stored cannot be seen');
      return before.includes(parentId)
        ? fact('a message that got 429 left no trace', 'good')
        : fact('a message that got 429 stands in the chat', 'bad');
    },
  };
}

function idOf({ body }: Arrived, part: string, name: string): readonly string[] {
  const id = stringAt(parseJson(Buffer.concat(body)).value, 'data', part, name);
  return id === undefined ? [] : [id];
}
