import { parseJson, stringAt } from '../../../core/json.ts';
import type { Fact } from '../../../reports/load/load-record.ts';
import type { OpenChat } from '../../schedule/chat-turns.ts';
import type { Sent } from '../../engine/send-one.ts';
import { isAccepted, write, type WriterOptions } from './chat-writer.ts';

/** Many requests with one idempotency key at the same instant: they must make one message. */
export async function storm(options: WriterOptions, chat: OpenChat, requests: number): Promise<Fact> {
  const text = options.target.assistant.quickPrompt;
  const sent = await Promise.all(Array.from({ length: requests }, () => write(options, chat, { text, key: 'storm' })));
  const accepted = sent.filter(isAccepted);
  const ids = new Set(accepted.map(messageId).filter((id) => id !== undefined));
  const name = 'one message for a key';
  const others = sent.length - accepted.length;
  const rest = others === 0 ? '' : `, ${others} had another answer`;
  if (ids.size > 1)
    return { name, value: `${requests} requests with one key made ${ids.size} messages`, verdict: 'bad' };
  if (ids.size === 0)
    return { name, value: `none of ${requests} requests with one key was accepted`, verdict: 'unclear' };
  return {
    name,
    value: `${accepted.length} of ${requests} requests with one key got the same message${rest}`,
    verdict: 'good',
  };
}

function messageId({ arrived: { body } }: Sent): string | undefined {
  return stringAt(parseJson(Buffer.concat(body)).value, 'data', 'userMessage', 'id');
}
