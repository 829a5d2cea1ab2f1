import type { Answer, Exchange } from '../core/exchange.ts';
import { isSameTime } from '../core/instant.ts';
import { stringAt } from '../core/json.ts';
import { describe } from '../core/text.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { promised } from './judgement.ts';

/**
 * A record in successful answers shows the same createdAt each time. `path` leads to the record, and `idOf` gives the ID that the
 * request names. Times of a form whose instant is unclear are not compared.
 */
export function createdOnce(
  requirement: RequirementId,
  path: readonly string[],
  idOf: (answer: Answer) => string | undefined,
) {
  return promised(requirement, (answers: readonly Answer[]) => {
    const first = new Map<string, { readonly time: string; readonly exchange: Exchange }>();
    let compared = 0;
    for (const answer of answers) {
      const { json, exchange } = answer;
      const [id, time] = [stringAt(json, ...path, 'id'), stringAt(json, ...path, 'createdAt')];
      if (id === undefined || id !== idOf(answer) || time === undefined) continue;
      const before = first.get(id) ?? { time, exchange };
      first.set(id, before);
      const isSame = before.time === time || (isSameTime(before.time, time) ?? areOneNumber(before.time, time));
      if (isSame === true && before.exchange !== exchange) compared += 1;
      if (isSame === false) {
        const expected = `createdAt ${describe(before.time)} of ${describe(id)} at each reading`;
        return { expected, actual: describe(time), evidence: [before.exchange, exchange] };
      }
    }
    return compared > 0 ? 'kept' : undefined;
  });
}

/** Whether two numbers written as texts may be one, rounded in two ways; undefined for texts that are no numbers of one length. */
function areOneNumber(one: string, other: string): boolean | undefined {
  const [first, second] = [one, other].map((text) => /^(\d+)(?:\.\d+)?$/.exec(text));
  if (first?.[1] === undefined || first[1].length !== second?.[1]?.length) return undefined;
  return Math.abs(Number(one) - Number(other)) <= 1;
}
