import { type Api, as } from '../../engine/api.ts';
import { givenAttachment } from '../../stage/attachment/attachment.ts';
import { givenIdleChat } from '../../stage/chats/conversation.ts';
import { send } from '../../stage/chats/sending.ts';
import { givenDeletion } from '../../stage/deletion/deletion.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { TransportError } from '../../core/http.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Operation, operations } from '../../spec/requirement.ts';
import { withoutKey } from '../shared/credentials.ts';
import { answerToMistake, withForeignCursor, withRefusedKey } from '../shared/mistakes.ts';
import { keyholder, readablePlace, requestAt, unknownPlace } from '../shared/place.ts';

/** An answer to a deliberately wrong request. */
export type Provoked = { readonly mistake: string; readonly answer: Answer };

/**
 * Typical answers of every operation, good and bad, for the promises that every answer has to keep, so that those promises
 * can be judged even when nothing else was asked: what no check has seen yet is sent once in a run, at its end. Writes are harmless, or are what
 * the target file allows. Requests without an answer are left out: an invariant judges them.
 */
export const provoke = shared(async (api: Api): Promise<readonly Provoked[]> => {
  const provoked: Provoked[] = [];
  const answered = new Set(api.session.sampled().flatMap((one) => (isSuccess(one) ? [one.exchange.operation] : [])));
  for (const [operation, ask] of questions(api)) if (!answered.has(operation)) await unlessLost(ask);
  for (const [operation, mistake, ask] of mistakes(api)) {
    const answer = answerToMistake(api, operation, mistake) ?? (await unlessLost(ask));
    if (answer !== undefined) provoked.push({ mistake, answer });
  }
  const { allow } = api.session.target;
  if (allow.has('messages')) provoked.push(...((await unlessLost(() => converse(api))) ?? []));
  for (const [operation, mistake] of sentByOthers) {
    const answer = answerToMistake(api, operation, mistake);
    if (answer !== undefined) provoked.push({ mistake, answer });
  }
  if (allow.has('deletions')) {
    const deletion = await unlessLost(() => givenDeletion(api));
    if (deletion !== undefined)
      provoked.push({ mistake: 'filtered by what was deleted', answer: deletion.afterFilter });
  }
  if (allow.has('attachments')) await unlessLost(() => givenAttachment(api));
  return provoked;
});

/** The options of checks that {@link provoke}: they run last, because their requirements are about all answers of the run. */
export const provoking = { phase: 'last', mayUse: ['messages', 'deletions', 'attachments'] } as const;

/** What other checks may have sent, and is not worth a request of its own. */
const sentByOthers = [
  ['sendMessage', withRefusedKey],
  ['listModels', withForeignCursor],
  ['listDataSources', withForeignCursor],
] as const;

type Question = readonly [operation: Operation, ask: () => Promise<Answer>];
type Mistake = readonly [operation: Operation, mistake: string, ask: () => Promise<Answer>];

/** Valid requests. */
function questions(api: Api): readonly Question[] {
  const principal = keyholder(api);
  const place = readablePlace(api, principal);
  const caller = as(principal);
  const { organizationId } = place;
  return [
    ['listModels', () => api.listModels(caller, organizationId, { limit: 100 })],
    ['listModels', () => api.listModels(caller, organizationId, { limit: 3 })],
    ['listDataSources', () => api.listDataSources(caller, organizationId, { limit: 100 })],
    ['listDataSources', () => api.listDataSources(caller, organizationId, { limit: 3 })],
    ['getBillingAccount', () => api.getBillingAccount(caller, place.billingAccountId)],
  ];
}

/** Requests with one mistake each, and one with several, about nothing that a write could change. */
function mistakes(api: Api): readonly Mistake[] {
  const principal = keyholder(api);
  const caller = as(principal);
  const place = readablePlace(api, principal);
  const nowhere = unknownPlace(api);
  const { organizationId, chatId } = { ...place };
  const stranger = api.session.target.principals.find(({ adminOf }) => !adminOf.includes(organizationId));
  const message = api.session.target.assistant.quickPrompt;
  return [
    ...operations.map((operation): Mistake => [
      operation,
      'without a key',
      () => requestAt(api, operation, withoutKey, place),
    ]),
    ...operations.map((operation): Mistake => [
      operation,
      'about what does not exist',
      () => requestAt(api, operation, caller, nowhere),
    ]),
    ...(stranger === undefined ? [] : operations).map((operation): Mistake => [
      operation,
      'without the role',
      () => requestAt(api, operation, as(stranger ?? principal), place),
    ]),
    ...['0', '101', 'ten'].flatMap((limit): Mistake[] => [
      ['listModels', `with limit=${limit}`, () => api.listModels(caller, organizationId, { limit })],
      ['listDataSources', `with limit=${limit}`, () => api.listDataSources(caller, organizationId, { limit })],
    ]),
    // Not all in one request: one that is refused hides the others.
    ...['limit[]', 'cursor[]', 'databaseConnectionId[]'].map((name): Mistake => [
      'listModels',
      `with ${name}=5`,
      () => api.listModels(caller, organizationId, { [name]: 5 }),
    ]),
    [
      'listModels',
      'with an unknown filter',
      () => api.listModels(caller, organizationId, { databaseConnectionId: place.sourceId }),
    ],
    [
      'listModels',
      'with limit=0, an unknown cursor and an unknown filter',
      () =>
        api.listModels(caller, organizationId, {
          limit: 0,
          cursor: place.chatId,
          databaseConnectionId: place.sourceId,
        }),
    ],
    [
      'listModels',
      'with an empty filter',
      () => api.listModels(caller, organizationId, { limit: 1, databaseConnectionId: '' }),
    ],
    [
      'deleteDataSource',
      'about a data source that does not exist',
      () => api.deleteDataSource(caller, organizationId, place.sourceId),
    ],
    [
      'sendMessage',
      'with an empty message',
      () => api.sendMessage(caller, { organizationId, chatId }, { message: '', key: api.freshKey() }),
    ],
    [
      'sendMessage',
      'with wait=0',
      () => api.sendMessage(caller, { organizationId, chatId }, { message, wait: 0, key: api.freshKey() }),
    ],
    [
      'sendMessage',
      'with malformed JSON',
      () => api.sendMessage(caller, { organizationId, chatId }, { body: '{"message":', key: api.freshKey() }),
    ],
    [
      'attachOrganization',
      'without organizationId',
      () => api.attachOrganization(caller, nowhere.billingAccountId, {}),
    ],
    [
      'attachOrganization',
      'with malformed JSON',
      () => api.attachOrganization(caller, nowhere.billingAccountId, {}, { text: '{"organizationId":' }),
    ],
  ];
}

/** More than servers take by default, in characters: a path and query, and a body. */
const longQuery = 10_000;
const longBody = 150_000;

/**
 * Requests that are refused for their size, if at all, perhaps before they reach the API: no other promise is held against
 * their answers.
 */
export async function provokeBySize(api: Api): Promise<readonly Answer[]> {
  const principal = keyholder(api);
  const { organizationId } = readablePlace(api, principal);
  const { billingAccountId } = unknownPlace(api);
  const options = { judged: false } as const;
  const answers = [
    await unlessLost(() =>
      api.listModels(as(principal), organizationId, { limit: 1, cursor: 'x'.repeat(longQuery) }, options),
    ),
    await unlessLost(() =>
      api.attachOrganization(as(principal), billingAccountId, { organizationId: 'x'.repeat(longBody) }, options),
    ),
  ];
  return answers.filter((answer) => answer !== undefined);
}

/** In a chat that may be written to: a refused message, an accepted one, and one sent too early. */
async function converse(api: Api): Promise<readonly Provoked[]> {
  const seen = new Set(api.session.sampled().map(({ exchange, status }) => `${exchange.operation} ${status}`));
  if (seen.has('sendMessage 409') && (seen.has('sendMessage 202') || seen.has('sendMessage 200'))) return [];
  const chat = await givenIdleChat(api);
  const { slowPrompt } = api.session.target.assistant;
  const empty = await send(api, chat, { message: '' });
  await send(api, chat, { message: slowPrompt });
  await send(api, chat, { message: slowPrompt });
  return [{ mistake: 'with an empty message', answer: empty }];
}

/** The result; undefined if the target did not answer, or not in time. */
async function unlessLost<Value>(make: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return undefined;
    throw error;
  }
}
