import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Check } from '../../engine/check.ts';
import { decoded } from '../../core/decoded.ts';
import { at } from '../../core/json.ts';
import { listOperations } from '../../core/page.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import type { Watch } from '../../engine/session/session.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { describe } from '../../core/text.ts';
import { Violation } from '../../engine/verdict.ts';
import { chatSchema, messageSchema } from '../../schemas/message.ts';
import { schemaIssues } from '../../schemas/schema-issues.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import type { Operation } from '../../spec/requirement.ts';
import { givenGranted } from '../access/access-matrix.ts';
import { givenModels } from '../models/model-records.ts';
import { watchedCheck } from './watched-check.ts';

/** How an answer is not made as promised; undefined where it is silent about that. */
type Shape = 'kept' | { readonly expected: string; readonly actual: string } | undefined;

const records = ['chat', 'userMessage', 'assistantMessage'] as const;

/**
 * What a 2xx of an operation is made of, whoever asked, with whatever query, the first time or again: a check that meets
 * something else is blocked, so that without these nobody would be told what is broken.
 */
export const answerShapeWatches: readonly Watch[] = [
  shaped('paging.envelope', listOperations, ({ json }) => {
    const [data, pagination] = [at(json, 'data'), at(json, 'pagination')];
    if (Array.isArray(data) && isObject(pagination)) return 'kept';
    const actual = `data ${describe(data, 60)}, pagination ${describe(pagination, 60)}`;
    return { expected: 'the array data and the object pagination', actual };
  }),

  shaped('paging.meta-types', listOperations, ({ json }) => {
    if (!isObject(at(json, 'pagination'))) return undefined;
    const [hasMore, nextCursor] = [at(json, 'pagination', 'hasMore'), at(json, 'pagination', 'nextCursor')];
    if (typeof hasMore === 'boolean' && (nextCursor === null || typeof nextCursor === 'string')) return 'kept';
    const actual = `hasMore ${describe(hasMore, 60)}, nextCursor ${describe(nextCursor, 60)}`;
    return { expected: 'hasMore, a boolean, and nextCursor, a string or null', actual };
  }),

  shaped('models.success-status', ['listModels'], (answer) =>
    answer.status === 200 ? 'kept' : { expected: '200 for a list of models', actual: summary(answer) },
  ),

  shaped('messages.success-status', ['sendMessage'], (answer) => {
    if (answer.status === 200 || answer.status === 202) return 'kept';
    return { expected: '200 or 202 for an accepted message', actual: summary(answer) };
  }),

  shaped('messages.envelope', ['sendMessage'], ({ json }) => {
    const lacking = records.find((record) => typeof at(json, 'data', record, 'id') !== 'string');
    if (lacking === undefined) return 'kept';
    return { expected: `data.${lacking}.id, a string`, actual: describe(at(json, 'data', lacking, 'id')) };
  }),

  shaped('messages.chat-types', ['sendMessage'], (answer) => conforming(answer, ['chat'], chatSchema)),

  shaped('messages.message-types', ['sendMessage'], (answer) =>
    conforming(answer, ['userMessage', 'assistantMessage'], messageSchema),
  ),

  shaped('billing.record', ['getBillingAccount'], ({ json, exchange }) => {
    const asked = decoded(/([^/?]*)(?:\?|$)/.exec(exchange.request.path)?.[1] ?? '');
    if (asked === undefined) return undefined;
    const shown = at(json, 'data', 'id');
    if (shown === asked) return 'kept';
    return { expected: `data with id ${describe(asked)}`, actual: `id ${describe(shown)}` };
  }),
];

const atLast = { phase: 'last', variant: 'at-last' } as const;
const sentAtLast = { ...atLast, uses: ['messages'] } as const;

/** At the end, what the watches saw. */
export const answerShapes: readonly Check[] = [
  watchedCheck('paging.envelope', givenEveryList, atLast),
  watchedCheck('paging.meta-types', givenEveryList, atLast),
  watchedCheck('models.success-status', givenEveryPage, { phase: 'last' }),
  watchedCheck('messages.success-status', givenAccepted, sentAtLast),
  watchedCheck('messages.envelope', givenAccepted, sentAtLast),
  watchedCheck('messages.chat-types', givenAccepted, sentAtLast),
  watchedCheck('messages.message-types', givenAccepted, sentAtLast),
  watchedCheck('billing.record', (api) => givenGranted(api, 'getBillingAccount'), atLast),
];

async function givenEveryList(api: Api): Promise<void> {
  for (const list of listOperations) await givenGranted(api, list);
}

/** Lists of models, with a cursor and a filter as well where there are models. */
async function givenEveryPage(api: Api): Promise<void> {
  await givenGranted(api, 'listModels');
  await unlessBlocked(() => givenModels(api));
}

function shaped(
  requirement: RequirementId,
  operations: readonly Operation[],
  shapeOf: (answer: Answer) => Shape,
): Watch {
  return {
    requirement,
    judge(exchange, answer) {
      if (answer === undefined || !isSuccess(answer) || !operations.includes(exchange.operation)) return undefined;
      const shape = shapeOf(answer);
      if (shape === undefined || shape === 'kept') return shape;
      return new Violation(shape.expected, answer.problem ?? shape.actual, [exchange]);
    },
  };
}

function conforming(
  { json }: Answer,
  names: readonly (typeof records)[number][],
  schema: typeof chatSchema | typeof messageSchema,
): Shape {
  let seen: Shape;
  for (const name of names) {
    const record = at(json, 'data', name);
    if (!isObject(record)) continue;
    const [issue] = schemaIssues(schema, record);
    if (issue !== undefined) {
      return { expected: `data.${name}.${issue.path}: ${issue.expected}`, actual: issue.received };
    }
    seen = 'kept';
  }
  return seen;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
