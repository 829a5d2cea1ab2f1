import { isSuccess, summary } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { countCodePoints } from '../../schemas/code-points.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import { type MessageFacts, messageFacts, messageIds } from '../message-facts.ts';
import { type Broken, keptIf } from '../../promises/judgement.ts';
import { eachExchange, eachSuccess, type Rule, seenAs, type Seen } from '../rule.ts';

/** How much sooner than asked an answer may come without having been held too short, in milliseconds. */
const toleranceMs = 1000;

/** Sections 2.3, 2.4, 4.2 and 8, one message at a time. */
export function messageRules(keyHeader: string | undefined): readonly Rule[] {
  /** A promise that a repetition may seem to break, and is accused of only where it is none. */
  function eachNew(requirement: RequirementId, judge: (facts: MessageFacts) => Broken | 'kept' | undefined): Rule {
    return {
      requirement,
      needsKeyHeader: true,
      over: (traffic) =>
        messageFacts(traffic, keyHeader).flatMap((facts): readonly Seen[] => {
          const verdict = judge(facts);
          return verdict !== 'kept' && !facts.isNew ? [] : seenAs(verdict, facts.recorded.exchange);
        }),
    };
  }

  /** What must be refused, in words; undefined for a request that need not be. */
  function eachRefused(requirement: RequirementId, why: (facts: MessageFacts) => string | undefined): Rule {
    return eachNew(requirement, (facts) => {
      const reason = why(facts);
      return reason === undefined ? undefined : refused(facts.recorded.answer, reason);
    });
  }

  return [
    ...answerRules,
    eachNew('messages.text', ({ asked, recorded: { answer, isWhole } }) => {
      const [sent, shown] = [at(asked, 'message'), stringAt(answer.json, 'data', 'userMessage', 'text')];
      if (!isWhole || !isSuccess(answer) || typeof sent !== 'string' || shown === undefined) return undefined;
      return keptIf(shown === sent, `userMessage.text ${describe(sent)}`, describe(shown));
    }),
    eachNew('wait.holds', ({ recorded: { route, answer, isTimed } }) => {
      const seconds = waitOf(route.query.get('wait'));
      if (typeof seconds !== 'number' || !isTimed || answer.status !== 202) return undefined;
      const held = `202 after ${Math.round(answer.elapsedMs)} ms`;
      return keptIf(answer.elapsedMs >= seconds * 1000 - toleranceMs, `a request held for ${seconds} s, or 200`, held);
    }),
    eachRefused('wait.refused', ({ recorded: { route } }) =>
      waitOf(route.query.get('wait')) === 'wrong' ? `wait=${describe(route.query.get('wait')?.[0], 60)}` : undefined,
    ),
    eachRefused('message.empty', ({ asked }) => (at(asked, 'message') === '' ? 'an empty message' : undefined)),
    eachRefused('message.too-long', ({ asked }) => {
      const message = at(asked, 'message');
      const isTooLong = typeof message === 'string' && countCodePoints(message) > 10_000;
      return isTooLong ? 'over 10000 characters' : undefined;
    }),
    eachRefused('message.missing', ({ asked }) =>
      asked !== undefined && at(asked, 'message') === undefined ? 'a body without message' : undefined,
    ),
    eachRefused('message.not-a-string', ({ asked }) => {
      const message = at(asked, 'message');
      return message === undefined || typeof message === 'string' ? undefined : `the message ${describe(message, 60)}`;
    }),
    {
      requirement: 'idempotency.key-too-long',
      needsKeyHeader: true,
      over: (traffic) =>
        // No earlier request with such a key can have been accepted.
        messageFacts(traffic, keyHeader).flatMap(({ key = '', recorded: { answer, exchange } }) =>
          key.length > 255 ? seenAs(refused(answer, `a key of ${key.length} characters`), exchange) : [],
        ),
    },
  ];
}

const answerRules: readonly Rule[] = [
  eachSuccess('messages.chat-is-the-path', ['sendMessage'], ({ answer: { json }, route }) => {
    const named = [
      ['chat', 'id', route.id],
      ['chat', 'organizationId', route.ownerId],
      ['userMessage', 'chatId', route.id],
      ['assistantMessage', 'chatId', route.id],
    ] as const;
    const wrong = named.find(([record, field, expected]) => {
      const value = at(json, 'data', record, field) ?? undefined;
      return value !== undefined && value !== expected;
    });
    if (wrong !== undefined) {
      const [record, field, expected] = wrong;
      const actual = describe(at(json, 'data', record, field));
      return { expected: `data.${record}.${field} ${describe(expected)}, the path's`, actual };
    }
    return at(json, 'data', 'chat', 'id') === route.id ? 'kept' : undefined;
  }),
  eachSuccess('messages.distinct-ids', ['sendMessage'], ({ answer }) => {
    const [user, assistant] = messageIds(answer);
    if (user === undefined || assistant === undefined) return undefined;
    return keptIf(user !== assistant, 'an ID of its own for each of the two messages', `${describe(user)} twice`);
  }),
  eachSuccess('messages.ok-is-finished', ['sendMessage'], ({ answer: { json, status } }) => {
    const shown = stringAt(json, 'data', 'assistantMessage', 'status');
    if (status !== 200 || shown === undefined) return undefined;
    return keptIf(shown !== 'generating', 'a finished assistantMessage with 200', 'status "generating"');
  }),
  eachExchange('conflict.body', ({ route, answer, isWhole }) => {
    if (route.operation !== 'sendMessage' || answer.status !== 409 || !isWhole) return undefined;
    const { title, detail, retry } = {
      title: at(answer.json, 'error', 'title'),
      detail: at(answer.json, 'error', 'detail'),
      retry: at(answer.json, 'error', 'retryAfterMs'),
    };
    const holds = typeof title === 'string' && typeof detail === 'string' && retry === undefined;
    return keptIf(holds, 'the error body without retryAfterMs with 409', describe(at(answer.json, 'error')));
  }),
];

/** Accepted it is wrong; refused as such it is right; any other answer has a cause of its own. */
export function refused(answer: Parameters<typeof summary>[0], reason: string): Broken | 'kept' | undefined {
  if (isSuccess(answer)) return { expected: `no 2xx for ${reason}`, actual: summary(answer) };
  return answer.status === 400 || answer.status === 422 ? 'kept' : undefined;
}

/** The seconds of a wait; undefined where there is none, or where it may be read in several ways. */
function waitOf(values: readonly string[] | undefined): number | 'wrong' | undefined {
  const [value, ...more] = values ?? [];
  if (value === undefined || value === '' || more.length > 0) return undefined;
  const seconds = Number(value);
  if (/^[1-9]\d{0,2}$/.test(value) && seconds <= 300) return seconds;
  return /^0*[1-9]\d{0,2}$/.test(value.trim()) && seconds <= 300 ? undefined : 'wrong';
}
