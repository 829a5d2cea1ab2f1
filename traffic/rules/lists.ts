import { at, stringAt } from '../../core/json.ts';
import { listOperations, type Page, readPage } from '../../core/page.ts';
import { isSuccess, summary } from '../../core/exchange.ts';
import { describe } from '../../core/text.ts';
import type { RequirementId } from '../../spec/catalogue.ts';
import type { Recorded } from '../recorded.ts';
import { type Broken, keptIf } from '../../promises/judgement.ts';
import { eachExchange, eachSuccess, type Rule } from '../rule.ts';

type Limit = { readonly kind: 'none' | 'wrong' | 'unsure' } | { readonly kind: 'given'; readonly value: number };

/** Sections 2.2, 4.1 and 4.5, as far as one page shows them. */
export const listRules: readonly Rule[] = [
  eachPage('paging.limit', (page, limit) => (limit.kind === 'given' ? ofSize(page, limit.value) : undefined)),
  eachPage('paging.default-limit', (page, limit) => (limit.kind === 'none' ? ofSize(page, 50) : undefined)),
  eachPage('paging.limit-minimum', (page, limit) => (isGiven(limit, 1) ? ofSize(page, 1) : undefined)),
  eachPage('paging.limit-maximum', (page, limit) => (isGiven(limit, 100) ? ofSize(page, 100) : undefined)),

  eachPage('paging.limit-cap', ({ items }, limit) =>
    limit.kind === 'wrong' ? keptIf(items.length <= 100, 'at most 100 items', `${items.length} items`) : undefined,
  ),

  eachExchange('paging.limit-refused', (recorded) => {
    const { route, answer } = recorded;
    if (!isList(route.operation) || limitOf(recorded).kind !== 'wrong') return undefined;
    // Every other refusal may have another cause.
    if (isSuccess(answer))
      return { expected: `4xx with ${describe(route.query.get('limit'))}`, actual: summary(answer) };
    return answer.status === 400 || answer.status === 422 ? 'kept' : undefined;
  }),

  eachPage('paging.cursor-null', ({ hasMore, nextCursor }) =>
    keptIf(
      (nextCursor === null) === !hasMore,
      `nextCursor ${hasMore ? 'a string' : 'null'} with hasMore ${hasMore}`,
      describe(nextCursor),
    ),
  ),

  eachPage('paging.cursor-is-last-id', ({ items, nextCursor }) => {
    const last = items.at(-1)?.id;
    if (nextCursor === null || last === undefined) return undefined;
    return keptIf(nextCursor === last, `nextCursor ${describe(last)}, the ID of the last item`, describe(nextCursor));
  }),

  eachSuccess('models.organization', ['listModels'], ({ answer, route }) => {
    const items = readPage(answer)?.items ?? [];
    if (items.length === 0) return undefined;
    const stranger = items.find(({ record }) => stringAt(record, 'organizationId') !== route.ownerId);
    const actual = `${describe(at(stranger?.record, 'organizationId'))} of model ${describe(stranger?.id)}`;
    return keptIf(stranger === undefined, `organizationId ${describe(route.ownerId)}, the path's`, actual);
  }),

  eachSuccess('models.filter', ['listModels'], ({ answer, route }) => {
    const [wanted, ...more] = route.query.get('databaseConnectionId') ?? [];
    const items = readPage(answer)?.items ?? [];
    if (wanted === undefined || wanted === '' || more.length > 0 || items.length === 0) return undefined;
    const stranger = items.find(({ record }) => stringAt(record, 'databaseConnectionId') !== wanted);
    const actual = `${describe(at(stranger?.record, 'databaseConnectionId'))} of model ${describe(stranger?.id)}`;
    return keptIf(stranger === undefined, `databaseConnectionId ${describe(wanted)}, the filter's`, actual);
  }),
];

export function isList(operation: string): boolean {
  return operation === 'listModels' || operation === 'listDataSources';
}

function eachPage(id: RequirementId, judge: (page: Page, limit: Limit) => Broken | 'kept' | undefined): Rule {
  return eachSuccess(id, listOperations, (recorded) => {
    const page = readPage(recorded.answer);
    return page === undefined ? undefined : judge(page, limitOf(recorded));
  });
}

/** A page of exactly so many items while more follow, and never of more. One with less and no more says nothing. */
function ofSize({ items, hasMore }: Page, size: number): Broken | 'kept' | undefined {
  const { length } = items;
  if (length > size) return { expected: `at most ${size} items`, actual: `${length} items` };
  if (length === size) return 'kept';
  return hasMore ? { expected: `${size} items while more follow`, actual: `${length} items` } : undefined;
}

function isGiven(limit: Limit, value: number): boolean {
  return limit.kind === 'given' && limit.value === value;
}

/** Given twice or empty it may be read in several ways. */
function limitOf({ route }: Recorded): Limit {
  const [limit, ...more] = route.query.get('limit') ?? [];
  if (limit === undefined) return { kind: 'none' };
  if (more.length > 0 || limit === '') return { kind: 'unsure' };
  const value = Number(limit);
  if (/^[1-9]\d{0,2}$/.test(limit) && value <= 100) return { kind: 'given', value };
  return /^0*[1-9]\d{0,2}$/.test(limit.trim()) && value <= 100 ? { kind: 'unsure' } : { kind: 'wrong' };
}
