import { type Request, type Refusal, refusal } from '../http/request.ts';
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

function readText(world: World, request: Request): string | Refusal {
  const { rules } = world;
  const read = jsonBody(world, request);
  if (!read.ok) return read;
  const field = rules.messageField(read.body, request);
  const text = typeof field === 'string' ? field : rules.messageInstead(field, request);
  if (text === undefined || !rules.messageInRange(rules.messageLength(text, request), request)) {
    return refusal('invalidMessage');
  }
  if (!rules.charactersAccepted(text, request)) return refusal('invalidMessage');
  return rules.messageStored(text, request);
}

function readWait(world: World, request: Request): number | undefined | Refusal {
  const { rules } = world;
  const text = queryValue(world, request, 'wait');
  if (typeof text !== 'string') return text;
  const seconds = rules.readWait(text, request);
  if (rules.waitInRange(seconds, request)) return seconds;
  return rules.waitInstead(seconds, request) ?? refusal('invalidWait', text);
}

function readKey(world: World, request: Request): string | undefined | Refusal {
  const { rules } = world;
  const key = request.headers[rules.keyHeader()];
  if (key === undefined || key === '')
    return rules.keyRequired(request) ? refusal('missingKey') : rules.keyInstead(request);
  if (!rules.keyInRange(rules.keyLength(key, request), request)) return refusal('invalidKey');
  return rules.keyIdentity(key, request);
}

/** What a message request asks for, or why it is refused. */
export function readMessageRequest(world: World, request: Request): MessageRequest | Refusal {
  const text = readText(world, request);
  if (typeof text === 'object') return text;
  const wait = readWait(world, request);
  if (typeof wait === 'object') return wait;
  const key = readKey(world, request);
  if (typeof key === 'object') return key;
  return { ok: true, text, wait, key };
}
