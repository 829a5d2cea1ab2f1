import { duplicateName } from '../../core/json.ts';
import type { Watch } from '../../engine/session/session.ts';
import { shown } from '../../core/text.ts';
import { watches } from '../../suites/errors/watches.ts';
import type { Recorded } from '../recorded.ts';
import { keptIf } from '../../promises/judgement.ts';
import { eachExchange, type Rule } from '../rule.ts';

/** Bodies that are searched for a name that stands twice, in bytes: comparing names is dear. */
const maxBodyBytes = 256 * 1024;

/** Sections 1, 2.7 and 7: the watches, each over the answers of which enough was recorded for it. */
export const errorRules: readonly Rule[] = [
  ...watches.flatMap(ruleOf),
  eachExchange('robustness.unique-names', ({ exchange: { outcome }, answer, isWhole }) => {
    if (!isWhole || answer.json === undefined || outcome.kind === 'failed') return undefined;
    if (outcome.response.body.length > maxBodyBytes) return undefined;
    const name = duplicateName(new TextDecoder().decode(outcome.response.body));
    return keptIf(name === undefined, 'each name once in an object', `${shown(name ?? '', 100)} twice`);
  }),
];

/** Promises about the status alone, which is known without the body. */
const ofStatus: ReadonlySet<string> = new Set(['models.success-status', 'messages.success-status']);

function ruleOf({ requirement, judge }: Watch): readonly Rule[] {
  // Only a body that was recorded whole is told to a watch. That no answer was recorded may be the recorder's doing.
  if (requirement === 'robustness.answered') return [];
  const rule: Rule = {
    requirement,
    over: (traffic) =>
      traffic.flatMap((recorded) => {
        const { exchange, answer, isWhole } = recorded;
        const isTold = (isWhole || ofStatus.has(requirement)) && isEnough(requirement, recorded);
        const verdict = isTold ? judge(exchange, answer) : undefined;
        if (verdict === undefined) return [];
        return [{ exchange, violation: verdict === 'kept' ? undefined : verdict }];
      }),
  };
  return [rule];
}

/** Whether the headers and the request that a watch looks at were recorded, too. */
function isEnough(requirement: Watch['requirement'], recorded: Recorded): boolean {
  const { exchange, answer, isAskedWhole, sender } = recorded;
  const { method, headers } = exchange.request;
  switch (requirement) {
    case 'errors.content-type':
      return answer.headers['content-type'] !== undefined;
    case 'robustness.json':
      // Recorders keep what they cannot decode as it travelled.
      return answer.problem === undefined || answer.headers['content-encoding'] === undefined;
    case 'paging.envelope':
    case 'paging.meta-types':
    case 'messages.envelope':
    case 'messages.chat-types':
    case 'messages.message-types':
    case 'billing.record':
      // What is no JSON is for robustness.json alone.
      return answer.problem === undefined;
    case 'errors.no-internals':
    case 'auth.not-quoted':
      return isAskedWhole;
    case 'errors.no-5xx':
      return isAskedWhole && sender.isKnown && (method !== 'POST' || headers['content-type'] !== undefined);
    default:
      return true;
  }
}
