import { answerPromises } from '../promises/all-promises.ts';
import type { Judgement } from '../promises/judgement.ts';
import { heldToleranceMs, keyTooLong, waitHolds } from '../promises/message-requests.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { isEnough } from './is-enough.ts';
import { messageFacts } from './message-facts.ts';
import type { Recorded } from './recorded.ts';
import { recordedPages } from './recorded-pages.ts';
import { rules } from './rules/rules.ts';
import { type Seen, seenAs } from './seen.ts';

/** The requirements that a recording can show. */
export const judged: ReadonlySet<RequirementId> = new Set(
  [...answerPromises, waitHolds, keyTooLong, ...rules].map(({ requirement }) => requirement),
);

/** A repeated key may return an earlier message, so only a new request can show a violation. */
export const onlyOfNew: ReadonlySet<RequirementId> = new Set([
  'messages.text',
  'wait.holds',
  'wait.refused',
  'message.empty',
  'message.too-long',
  'message.missing',
  'message.not-a-string',
]);

/** What an exchange shows about a promise by itself. */
export type Shown = { readonly requirement: RequirementId; readonly judgement: Exclude<Judgement, undefined> };

/** A pure function of the request and the answer, without times and other exchanges. */
export type ShownBy = (recorded: Recorded) => readonly Shown[];

/**
 * Everything that recorded traffic shows about any promise. It reports only what no legal deployment does, whatever happened that
 * was not recorded.
 */
export function seenIn(
  traffic: readonly Recorded[],
  keyHeader: string | undefined,
  shownBy: ShownBy = shownByAnswer,
): readonly Seen[] {
  const messages = messageFacts(traffic, keyHeader);
  const standing = standingErrors(traffic);
  const factsOf = new Map(messages.map((fact) => [fact.recorded, fact]));
  const alone = traffic.flatMap((recorded) => {
    const { isNew = false, key = '' } = factsOf.get(recorded) ?? {};
    const excused = ({ requirement, judgement }: Shown): boolean => {
      if (judgement === 'kept') return false;
      const isRepetition = onlyOfNew.has(requirement) && !isNew;
      return isRepetition || (requirement === 'errors.no-5xx' && !standing.has(recorded));
    };
    return [...shownBy(recorded), ...shownByMessage(recorded, key)]
      .filter((shown) => !excused(shown))
      .flatMap(({ requirement, judgement }) => seenAs(requirement, judgement, recorded.exchange));
  });
  const recording = { traffic, pages: recordedPages(traffic), messages };
  return [...alone, ...rules.flatMap((rule) => rule.seenIn(recording))];
}

export function shownByAnswer(recorded: Recorded): readonly Shown[] {
  return answerPromises.flatMap(({ requirement, judge }) =>
    isEnough(requirement, recorded) ? shownAs(requirement, judge(recorded.answer)) : [],
  );
}

/** The promises about times and the idempotency key, which need no body. */
function shownByMessage({ route, answer, isTimed }: Recorded, key: string): readonly Shown[] {
  if (route.operation !== 'sendMessage') return [];
  return [
    ...(isTimed ? shownAs(waitHolds.requirement, waitHolds.judge({ answer, toleranceMs: heldToleranceMs })) : []),
    ...shownAs(keyTooLong.requirement, keyTooLong.judge({ answer, key })),
  ];
}

function shownAs(requirement: RequirementId, judgement: Judgement): readonly Shown[] {
  return judgement === undefined ? [] : [{ requirement, judgement }];
}

/**
 * The 5xx answers that are not accidental: the same request was recorded at least twice, and never got another kind of answer.
 * Section 7 has internal errors, so a deployment may occasionally fail at any request.
 */
function standingErrors(traffic: readonly Recorded[]): ReadonlySet<Recorded> {
  if (!traffic.some(isServerError)) return new Set();
  const groups = Map.groupBy(traffic, ({ sender, exchange: { request } }) =>
    JSON.stringify([
      sender.name,
      request.method,
      request.path,
      request.headers['content-type'],
      typeof request.body === 'string' ? request.body : '',
    ]),
  );
  const standing = [...groups.values()].filter((same) => same.length > 1 && same.every(isServerError));
  return new Set(standing.flat());
}

function isServerError({ answer }: Recorded): boolean {
  return answer.status >= 500;
}
