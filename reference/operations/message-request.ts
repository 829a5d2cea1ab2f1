import { type Ask, type Refusal, refusal } from '../http/ask.ts';
import type { World } from '../world.ts';
import { jsonBody } from './json-body.ts';
import { queryValue } from './query-value.ts';

export type MessageRequest = {
  readonly ok: true;
  readonly text: string;
  /** Seconds. */
  readonly wait: number | undefined;
  readonly key: string | undefined;
};

function readText(world: World, ask: Ask): string | Refusal {
  const { rules } = world;
  const read = jsonBody(world, ask);
  if (!read.ok) return read;
  const field = rules.messageField(read.body, ask);
  const text = typeof field === 'string' ? field : rules.messageInstead(field, ask);
  if (text === undefined || !rules.messageInRange(rules.messageLength(text, ask), ask)) {
    return refusal('invalidMessage');
  }
  if (!rules.charactersAccepted(text, ask)) return refusal('invalidMessage');
  return rules.messageStored(text, ask);
}

function readWait(world: World, ask: Ask): number | undefined | Refusal {
  const { rules } = world;
  const text = queryValue(world, ask, 'wait');
  if (typeof text !== 'string') return text;
  const seconds = rules.readWait(text, ask);
  if (rules.waitInRange(seconds, ask)) return seconds;
  return rules.waitInstead(seconds, ask) ?? refusal('invalidWait', text);
}

function readKey(world: World, ask: Ask): string | undefined | Refusal {
  const { rules } = world;
  const key = ask.headers[rules.keyHeader()];
  if (key === undefined || key === '') return rules.keyRequired(ask) ? refusal('missingKey') : rules.keyInstead(ask);
  if (!rules.keyInRange(rules.keyLength(key, ask), ask)) return refusal('invalidKey');
  return rules.keyIdentity(key, ask);
}

/** What a message request asks for, or why it is refused. */
export function readMessageRequest(world: World, ask: Ask): MessageRequest | Refusal {
  const text = readText(world, ask);
  if (typeof text === 'object') return text;
  const wait = readWait(world, ask);
  if (typeof wait === 'object') return wait;
  const key = readKey(world, ask);
  if (typeof key === 'object') return key;
  return { ok: true, text, wait, key };
}
