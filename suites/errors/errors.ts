import { mustHaveErrorBody, mustNotBe5xx } from '../../engine/answer.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { type Answer, bodyOf, isSuccess } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { duplicateName, stringAt } from '../../core/json.ts';
import { shown } from '../../core/text.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
import { provoke, provokeBySize, provoking } from './provocations.ts';
import { confirmed } from './unanswered.ts';
import { mustHaveKept, invariantCheck } from './invariant-check.ts';

/** The maximum size of a body whose names are compared, in bytes. */
const maxBodyBytes = 32 * 1024;

/** Sections 1, 2.7 and 7: what every answer promises. The invariants judge each one as it arrives. */
export const errors: readonly Check[] = [
  check('errors.body', provoking, async (api) => {
    await provoke(api);
    observeTitles(api);
    observePassing(api);
    mustHaveKept(api, 'errors.body');
  }),

  check('errors.too-large-body', { phase: 'last' }, async (api) => {
    const answers = await provokeBySize(api);
    if (answers.length === 0) throw new Blocked('large requests were not answered, or a rate limit refused them');
    const refused = answers.filter((answer) => !isSuccess(answer) && !isGateways(answer));
    if (refused.length === 0) throw new Blocked('no request was refused, however large');
    for (const answer of refused) mustHaveErrorBody(answer);
  }),

  invariantCheck('errors.content-type', provoke, provoking),
  invariantCheck('errors.retry-only-when-limited', provoke, provoking),
  invariantCheck('errors.title-means-limited', provoke, provoking),
  invariantCheck('errors.no-internals', provoke, provoking),

  check('errors.no-5xx', provoking, async (api) => {
    // An invariant cannot know that something does not exist, so the answers themselves are judged here.
    for (const { mistake, answer } of await provoke(api)) {
      if (answer.status !== 503) mustNotBe5xx(answer, `for a request ${mistake}`);
    }
    mustHaveKept(api, 'errors.no-5xx');
  }),

  invariantCheck('robustness.json', provoke, provoking),

  check('robustness.unique-names', provoking, async (api) => {
    await provoke(api);
    const bodies = sampledBodies(api);
    if (bodies.length === 0) throw new Blocked('no answer had a JSON body');
    for (const { answer, text } of bodies) {
      const name = duplicateName(text);
      if (name === undefined) continue;
      throw new Violation('each name once in an object', `${shown(name, 100)} twice`, [answer.exchange]);
    }
  }),

  check('robustness.answered', provoking, async (api) => {
    await provoke(api);
    const { kept, violations } = api.session.invariant('robustness.answered');
    const violation = await confirmed(api, violations);
    if (violation !== undefined) throw violation;
    if (kept === 0) throw new Blocked('no request was answered');
  }),
];

function observeTitles({ session }: Api): void {
  for (const answer of session.sampled()) {
    const { exchange } = answer;
    const title = isSuccess(answer) ? undefined : stringAt(answer.json, 'error', 'title');
    if (title === undefined) continue;
    session.observe('errors.titles', `${exchange.operation} ${answer.status}: ${shown(title, 80)}`, exchange);
  }
}

/** The absence of such answers is observed as well. */
function observePassing({ session }: Api): void {
  if (session.observations().some(({ point }) => point === 'errors.passing')) return;
  session.observe('errors.passing', 'none');
}

type Body = { readonly answer: Answer; readonly text: string };

/** A few bodies of every operation and status, from the shortest, such as an empty list, to the longest: comparing is expensive. */
function sampledBodies({ session }: Api): readonly Body[] {
  const small = session.sampled().filter((answer) => bodyOf(answer.exchange).length <= maxBodyBytes);
  const kinds = Map.groupBy(small, ({ exchange, status }) => `${exchange.operation} ${status}`);
  return [...kinds.values()].flatMap((answers) => {
    const byLength = answers
      .filter(({ json }) => json !== undefined)
      .toSorted((one, other) => bodyOf(one.exchange).length - bodyOf(other.exchange).length);
    const [first, middle, last] = [byLength[0], byLength[Math.floor(byLength.length / 2)], byLength.at(-1)];
    return [...new Set([first, middle, last])]
      .filter((answer) => answer !== undefined)
      .map((answer) => ({ answer, text: new TextDecoder().decode(bodyOf(answer.exchange)) }));
  });
}
