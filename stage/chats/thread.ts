import type { Sent } from './conversation.ts';
import type { Answer } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';

/** Which message of the previous turn a user message names as its parent; undefined if neither. */
export function parentIn(answer: Answer, before: Sent): 'user' | 'assistant' | undefined {
  const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId');
  if (parent === undefined) return undefined;
  if (parent === before.assistantMessageId) return 'assistant';
  return parent === before.userMessageId ? 'user' : undefined;
}
