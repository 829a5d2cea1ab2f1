import { type Refusal, refusal, type Request } from '../http/request.ts';
import type { World } from '../world.ts';
import { jsonBody, queryValue } from './request-parts.ts';

export type MessageRequest = {
  readonly ok: true;
  readonly text: string;
  /** Seconds. */
  readonly wait: number | undefined;
  readonly key: string | undefined;
};

function readText(world: World, request: Request): string | Refusal {
  const { rules, hooks } = world;
  const read = jsonBody(world, request);
  if (!read.ok) return read;
  const text = hooks.messageField(read.body['message'], request);
  if (typeof text !== 'string' || !rules.messageInRange(rules.messageLength(text, request), request)) {
    return refusal('invalidMessage');
  }
  if (!rules.charactersAccepted(text, request)) return refusal('invalidMessage');
  return hooks.messageText(text, request);
}

function readWait(world: World, request: Request): number | undefined | Refusal {
  const { rules, hooks } = world;
  const text = queryValue(world, request, 'wait');
  if (typeof text !== 'string') return text;
  const seconds = rules.readWait(text, request);
  const accepted = rules.waitInRange(seconds, request) ? seconds : undefined;
  return hooks.wait(accepted, request, seconds) ?? refusal('invalidWait', text);
}

function readKey(world: World, request: Request): string | undefined | Refusal {
  const { rules, hooks } = world;
  const key = request.headers[rules.keyHeader()];
  if (key === undefined || key === '') {
    return rules.keyRequired(request) ? refusal('missingKey') : hooks.key(undefined, request);
  }
  return rules.keyAccepted(key, request) ? hooks.key(key, request) : refusal('invalidKey');
}

/** The parts of a request to send a message, or why it is refused. */
export function readMessageRequest(world: World, request: Request): MessageRequest | Refusal {
  const text = readText(world, request);
  if (typeof text === 'object') return text;
  const wait = readWait(world, request);
  if (typeof wait === 'object') return wait;
  const key = readKey(world, request);
  if (typeof key === 'object') return key;
  return { ok: true, text, wait, key };
}
