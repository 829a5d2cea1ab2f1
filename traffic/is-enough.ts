import { isSuccess } from '../core/exchange.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import type { Recorded } from './recorded.ts';

/** Promises about the status and the request only. They need no body of the answer. */
const ofStatus: ReadonlySet<RequirementId> = new Set([
  'models.success-status',
  'messages.success-status',
  'paging.limit-refused',
  'wait.refused',
  'message.empty',
  'message.too-long',
  'message.missing',
  'message.not-a-string',
  'attach.missing',
  'attach.not-a-string',
]);

/** Whether an exchange was recorded well enough to judge a promise. */
export function isEnough(requirement: RequirementId, recorded: Recorded): boolean {
  const { exchange, answer, isWhole, isAskedWhole, sender } = recorded;
  const { method, headers } = exchange.request;
  if (ofStatus.has(requirement)) return true;
  if (!isWhole) return false;
  switch (requirement) {
    case 'errors.content-type':
      return answer.headers['content-type'] !== undefined;
    case 'robustness.json':
      // A recorder keeps a body encoded if it cannot decode it.
      return answer.problem === undefined || answer.headers['content-encoding'] === undefined;
    case 'errors.no-internals':
    case 'auth.not-quoted':
      return isAskedWhole;
    case 'errors.no-5xx':
      return isAskedWhole && sender.isKnown && (method !== 'POST' || headers['content-type'] !== undefined);
    default:
      // Only robustness.json judges a 2xx that is not JSON.
      return !isSuccess(answer) || answer.problem === undefined;
  }
}
