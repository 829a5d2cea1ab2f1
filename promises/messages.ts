import { type Answer, summary } from '../core/exchange.ts';
import { isAfterByAnyClock } from '../core/instant.ts';
import { at, stringAt } from '../core/json.ts';
import { askedBody, askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { compiled } from '../schemas/compiled.ts';
import { chatSchema, messageSchema } from '../schemas/message.ts';
import { schemaIssues } from '../schemas/schema-issues.ts';
import { isRecord } from '../schemas/walk.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { createdOnce } from './created-once.ts';
import { errorBodyProblem } from './errors.ts';
import { updatedAfterCreated } from './record-sense.ts';
import { type AnswerPromise, type Judgement, keptIf, ofSuccess, promised } from './judgement.ts';

const records = ['chat', 'userMessage', 'assistantMessage'] as const;
const sending = ['sendMessage'] as const;

/** Every accepted message is held against them. */
const [chat, message] = [compiled(chatSchema), compiled(messageSchema)] as const;

export const successStatus = ofSuccess('messages.success-status', sending, (answer) =>
  keptIf(answer.status === 200 || answer.status === 202, '200 or 202 for an accepted message', () => summary(answer)),
);

export const messageEnvelope = ofSuccess('messages.envelope', sending, ({ json }) => {
  const lacking = records.find((record) => typeof at(json, 'data', record, 'id') !== 'string');
  if (lacking === undefined) return 'kept';
  return { expected: `data.${lacking}.id, a string`, actual: describe(at(json, 'data', lacking, 'id')) };
});

export const chatTypes = ofSuccess('messages.chat-types', sending, (answer) => conforming(answer, ['chat'], chat));

export const messageTypes = ofSuccess('messages.message-types', sending, (answer) =>
  conforming(answer, ['userMessage', 'assistantMessage'], message),
);

/** A value seen, which names its messages. */
const roleOfUsers = 'user';

/** Section 2.4. */
export const rolesDiffer = ofSuccess('messages.roles-differ', sending, ({ json }) => {
  const [user, assistant] = [at(json, 'data', 'userMessage', 'role'), at(json, 'data', 'assistantMessage', 'role')];
  if (typeof user !== 'string' || typeof assistant !== 'string') return undefined;
  const differ = user !== assistant && assistant !== roleOfUsers;
  return keptIf(
    differ,
    'different roles of userMessage and assistantMessage',
    () => `${describe(user)} and ${describe(assistant)}`,
  );
});

/** Section 2.4. */
export const parentIsAnother = ofSuccess('messages.parent-is-another', sending, ({ json }) => {
  const parentOf = (record: string): string => stringAt(json, 'data', record, 'parentId') ?? '';
  const idOf = (record: string): unknown => at(json, 'data', record, 'id');
  const named = records.filter((record) => parentOf(record) !== '');
  if (named.length === 0 || idOf('userMessage') === idOf('assistantMessage')) return undefined;
  const wrong = named.find((record) => parentOf(record) === idOf(record));
  if (wrong === undefined) return 'kept';
  return { expected: `data.${wrong}.parentId, another message`, actual: describe(parentOf(wrong)) };
});

/** Section 2.4. */
export const messageUpdatedAfterCreated = updatedAfterCreatedIn('messages.updated-after-created', [
  'userMessage',
  'assistantMessage',
]);

/** Section 2.3. */
export const chatUpdatedAfterCreated = updatedAfterCreatedIn('messages.chat-updated-after-created', ['chat']);

/** Section 2.3: answers to accepted messages. */
export const chatCreatedOnce = createdOnce(
  'messages.chat-created-once',
  ['data', 'chat'],
  ({ exchange }) => askedOf(exchange)?.id,
);

function updatedAfterCreatedIn(requirement: RequirementId, names: readonly (typeof records)[number][]): AnswerPromise {
  return ofSuccess(requirement, sending, ({ json }) => {
    const senses = names.flatMap((name) => {
      const sense = updatedAfterCreated(at(json, 'data', name));
      return sense === undefined ? [] : [{ name, ...sense }];
    });
    const wrong = senses.find(({ holds }) => !holds);
    if (wrong === undefined) return senses.length > 0 ? 'kept' : undefined;
    return { expected: `updatedAt of data.${wrong.name} not before its createdAt`, actual: wrong.actual() };
  });
}

/** Section 2.4. */
export const createdInOrder = ofSuccess('messages.created-in-order', sending, ({ json }) => {
  const [chatAt, userAt, assistantAt] = records.map((name) => at(json, 'data', name, 'createdAt'));
  const steps = [
    [chatAt, userAt],
    [userAt, assistantAt],
  ].filter(([earlier, later]) => isAfterByAnyClock(earlier, later) !== undefined);
  const wrong = steps.find(([earlier, later]) => isAfterByAnyClock(earlier, later));
  if (wrong === undefined) return steps.length > 0 ? 'kept' : undefined;
  const expected = 'createdAt of the chat, of userMessage and of assistantMessage in this order';
  return { expected, actual: wrong.map((time) => describe(time)).join(', and then ') };
});

/** Sections 2.3 and 2.4. IDs that are no strings are for the promises about types. */
export const chatIsThePath = ofSuccess('messages.chat-is-the-path', sending, ({ json, exchange }) => {
  const asked = askedOf(exchange);
  if (asked === undefined) return undefined;
  const named = [
    ['chat', 'id', asked.id],
    ['chat', 'organizationId', asked.ownerId],
    ['userMessage', 'chatId', asked.id],
    ['assistantMessage', 'chatId', asked.id],
  ] as const;
  for (const [record, field, expected] of named) {
    const actual = stringAt(json, 'data', record, field);
    if (actual === undefined || actual === expected) continue;
    return { expected: `data.${record}.${field}, the path's, ${describe(expected)}`, actual: describe(actual) };
  }
  return stringAt(json, 'data', 'chat', 'id') === undefined ? undefined : 'kept';
});

/** A text that is no Unicode may come back as anything. */
export const sameText = ofSuccess('messages.text', sending, ({ json, exchange }) => {
  const sent = at(askedBody(exchange), 'message');
  const got = at(json, 'data', 'userMessage', 'text') ?? undefined;
  if (typeof sent !== 'string' || !sent.isWellFormed() || got === undefined) return undefined;
  if (got === sent) return 'kept';
  return typeof got === 'string'
    ? differenceOf(sent, got)
    : { expected: `userMessage.text ${describe(sent)}`, actual: describe(got) };
});

/** Section 2.4: messages that are answered as different ones have different IDs. */
export const distinctIds = promised('messages.distinct-ids', (answers: readonly Answer[]): Judgement => {
  const seen = new Map<string, Answer>();
  for (const answer of answers) {
    for (const id of messageIds(answer)) {
      if (id === undefined) return undefined;
      const earlier = seen.get(id);
      if (earlier !== undefined) {
        const evidence = [...new Set([earlier, answer])].map(({ exchange }) => exchange);
        return { expected: 'a different ID for every message', actual: `${describe(id)} twice`, evidence };
      }
      seen.set(id, answer);
    }
  }
  return 'kept';
});

export const okIsFinished = ofSuccess('messages.ok-is-finished', sending, ({ json, status }) => {
  const shown = stringAt(json, 'data', 'assistantMessage', 'status');
  if (status !== 200 || shown === undefined) return undefined;
  return keptIf(shown !== 'generating', 'a finished assistantMessage with 200', 'status "generating"');
});

export const conflictBody = promised('conflict.body', (answer: Answer) => {
  if (answer.exchange.operation !== 'sendMessage' || answer.status !== 409) return undefined;
  const retry = at(answer.json, 'error', 'retryAfterMs');
  return errorBodyProblem(answer) ?? keptIf(retry === undefined, 'no retryAfterMs with 409', () => describe(retry));
});

/** Sections 2.3, 2.4 and 4.2: what each answer to an accepted message shows. */
export const acceptedMessagePromises: readonly AnswerPromise[] = [
  successStatus,
  messageEnvelope,
  chatTypes,
  messageTypes,
  chatIsThePath,
  rolesDiffer,
  parentIsAnother,
  messageUpdatedAfterCreated,
  chatUpdatedAfterCreated,
  createdInOrder,
];

/** Sections 2.3, 2.4, 3 and 4.2, as far as one answer shows them. */
export const messagePromises: readonly AnswerPromise[] = [
  ...acceptedMessagePromises,
  sameText,
  ofSuccess(distinctIds.requirement, sending, (answer) => distinctIds.judge([answer])),
  okIsFinished,
  conflictBody,
];

/** The IDs of the user message and the assistant message. */
export function messageIds({ json }: Answer): readonly [string | undefined, string | undefined] {
  return [stringAt(json, 'data', 'userMessage', 'id'), stringAt(json, 'data', 'assistantMessage', 'id')];
}

function conforming(
  { json }: Answer,
  names: readonly (typeof records)[number][],
  schema: typeof chat | typeof message,
): Judgement {
  let kept: Judgement;
  for (const name of names) {
    const record = at(json, 'data', name);
    if (!isRecord(record)) continue;
    const [issue] = schemaIssues(schema(), record);
    if (issue !== undefined) {
      return { expected: `data.${name}.${issue.path}: ${issue.expected}`, actual: issue.received };
    }
    kept = 'kept';
  }
  return kept;
}

/** Both texts around the first place where they differ. */
function differenceOf(sent: string, got: string): { readonly expected: string; readonly actual: string } {
  let place = 0;
  while (place < sent.length && sent[place] === got[place]) place += 1;
  const around = (text: string) => describe(text.slice(Math.max(0, place - 10), place + 30));
  const expected = `userMessage.text of ${sent.length} UTF-16 units, at ${place} ${around(sent)}`;
  return { expected, actual: `${got.length} UTF-16 units, there ${around(got)}` };
}
