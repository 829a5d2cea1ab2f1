import { z } from 'zod';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { at, stringAt } from '../../core/json.ts';
import { describe, shown } from '../../core/text.ts';
import { billingAccountAnswerSchema } from '../../schemas/billing-account.ts';
import { dataSourceAnswerSchema, dataSourceListSchema } from '../../schemas/data-source.ts';
import { errorBodySchema, rateLimitBodySchema } from '../../schemas/error.ts';
import { sendMessageAnswerSchema } from '../../schemas/message.ts';
import { modelListSchema } from '../../schemas/model.ts';
import { schemaIssues } from '../../schemas/schema-issues.ts';
import { type RequirementId, requirement } from '../../spec/catalogue.ts';
import { readPage } from '../../core/page.ts';
import { askedOf, type Route } from '../../core/route.ts';
import { contentTypeProblem } from '../../promises/json-content-type.ts';
import { newestFirst } from '../../promises/lists.ts';
import type { Operation } from '../../spec/requirement.ts';

/** Something that an answer promised and does not keep. */
export type Finding = {
  /** A requirement's id, or the name of a schema. */
  readonly rule: string;
  readonly sentence: string;
  readonly expected: string;
  readonly actual: string;
};

/** Departures from a schema that one answer is told of. */
const maxIssues = 3;

/**
 * Every promise that one answer alone can break, and that no legal deployment breaks. The quick way for the many that
 * keep all: the schemas only say yes or no, and look for the place when it is no.
 */
export function judgeAnswer(exchange: Exchange): readonly Finding[] {
  const answer = answerOf(exchange);
  const asked = askedOf(exchange);
  if (answer === undefined || exchange.outcome.kind === 'failed' || asked === undefined) return [];
  const { json, problem, headers } = answer;
  if (exchange.outcome.response.body.length > 0) {
    if (problem !== undefined) return [finding('robustness.json', 'JSON in UTF-8', problem)];
    const wrongType = contentTypeProblem(headers['content-type']);
    if (wrongType !== undefined) return [finding('errors.content-type', 'a JSON content type', wrongType)];
  }
  if (!isSuccess(answer)) return judgeError(answer);
  const issues = departures(schemaOf(exchange.operation), json, `schema.${exchange.operation}`, shapeSentence);
  return issues.length > 0 ? issues : judgeSuccess(asked, answer);
}

const shapeSentence = 'The answer has the shape that the specification gives it.';

function schemaOf(operation: Operation): z.core.$ZodType {
  switch (operation) {
    case 'listModels':
      return modelListSchema;
    case 'listDataSources':
      return dataSourceListSchema;
    case 'getBillingAccount':
      return billingAccountAnswerSchema;
    case 'sendMessage':
      return sendMessageAnswerSchema;
    case 'deleteDataSource':
      return dataSourceAnswerSchema;
    case 'attachOrganization':
      return z.unknown();
  }
}

function judgeError({ status, json }: Answer): readonly Finding[] {
  if (status === 429) return departures(rateLimitBodySchema, json, 'rate.body', requirement('rate.body').sentence);
  const found = [...departures(errorBodySchema, json, 'errors.body', requirement('errors.body').sentence)];
  if (at(json, 'error', 'retryAfterMs') !== undefined) {
    found.push(finding('errors.retry-only-when-limited', `no retryAfterMs with ${status}`, 'retryAfterMs is there'));
  }
  if (stringAt(json, 'error', 'title') === 'RateLimitExceeded') {
    found.push(finding('errors.title-means-limited', '429 with the title RateLimitExceeded', String(status)));
  }
  return found;
}

function judgeSuccess(asked: Route, answer: Answer): readonly Finding[] {
  switch (asked.operation) {
    case 'listModels':
    case 'listDataSources':
      return judgeList(asked, answer);
    case 'getBillingAccount':
      return equal('billing.record', 'data.id', answer.json, asked.ownerId, 'data', 'id');
    case 'sendMessage':
      return judgeMessage(asked, answer);
    case 'deleteDataSource':
    case 'attachOrganization':
      return [];
  }
}

function judgeList({ operation, query, ownerId: organizationId }: Route, answer: Answer): readonly Finding[] {
  const { json } = answer;
  const limit = Number(query.get('limit')?.[0] ?? 50);
  const data = at(json, 'data');
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const hasMore = at(json, 'pagination', 'hasMore') === true;
  const nextCursor = at(json, 'pagination', 'nextCursor');
  const found: Finding[] = [];
  if (items.length > limit || (hasMore && items.length < limit)) {
    const expected = hasMore ? `exactly ${limit} items while more follow` : `at most ${limit} items`;
    found.push(finding('paging.limit', expected, `${items.length} items`));
  }
  if ((nextCursor === null) === hasMore) {
    found.push(finding('paging.cursor-null', hasMore ? 'a cursor' : 'nextCursor null', describe(nextCursor, 80)));
  }
  const last = items.at(-1);
  if (hasMore && last !== undefined)
    found.push(
      ...equal('paging.cursor-is-last-id', 'nextCursor', json, stringAt(last, 'id'), 'pagination', 'nextCursor'),
    );
  const ids = new Set(items.map((item) => stringAt(item, 'id')));
  if (ids.size < items.length)
    found.push(finding('paging.walk', 'no item twice', `${items.length - ids.size} repeated`));
  const page = readPage(answer);
  const order = page === undefined ? undefined : newestFirst.judge([page]);
  if (order !== undefined && order !== 'kept')
    found.push(finding(newestFirst.requirement, order.expected, order.actual));
  if (operation === 'listModels') {
    const stranger = items.find((item) => stringAt(item, 'organizationId') !== organizationId);
    if (stranger !== undefined)
      found.push(...equal('models.organization', 'organizationId', stranger, organizationId, 'organizationId'));
  }
  return found;
}

function judgeMessage({ ownerId: organizationId, id: chatId }: Route, answer: Answer): readonly Finding[] {
  const { json, status, exchange } = answer;
  const text = stringAt(JSON.parse(String(exchange.request.body)), 'message');
  const found: Finding[] = [];
  if (status !== 200 && status !== 202) found.push(finding('messages.success-status', '200 or 202', String(status)));
  const ofPath = (expected: string, ...path: readonly string[]) =>
    at(json, ...path) === undefined || at(json, ...path) === null
      ? []
      : equal('messages.chat-is-the-path', path.join('.'), json, expected, ...path);
  found.push(...ofPath(chatId, 'data', 'chat', 'id'));
  found.push(...ofPath(organizationId, 'data', 'chat', 'organizationId'));
  found.push(
    ...ofPath(chatId, 'data', 'userMessage', 'chatId'),
    ...ofPath(chatId, 'data', 'assistantMessage', 'chatId'),
  );
  if (typeof at(json, 'data', 'userMessage', 'text') === 'string') {
    found.push(...equal('messages.text', 'userMessage.text', json, text, 'data', 'userMessage', 'text'));
  }
  return found;
}

function departures(schema: z.core.$ZodType, json: unknown, rule: string, sentence: string): readonly Finding[] {
  const conforms: boolean = z.core.validate(schema, json);
  if (conforms) return [];
  return schemaIssues(schema, json)
    .slice(0, maxIssues)
    .map(({ path, expected, received }) => ({ rule, sentence, expected: `${path}: ${expected}`, actual: received }));
}

function equal(
  rule: RequirementId,
  what: string,
  json: unknown,
  expected: string | undefined,
  ...path: readonly string[]
): readonly Finding[] {
  const actual = at(json, ...path);
  return actual === expected ? [] : [finding(rule, `${what} ${describe(expected, 200)}`, describe(actual, 200))];
}

function finding(rule: RequirementId, expected: string, actual: string): Finding {
  return { rule, sentence: requirement(rule).sentence, expected, actual: shown(actual, 300) };
}
