import { expect, test } from 'vitest';
import type { HttpResponse } from '../../core/http.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Each page of a list is kept for 15 seconds. */
const kept: NonNullable<TrialOptions['through']> = (behind, clock) => {
  const pages = new Map<string, { readonly answer: HttpResponse; readonly until: number }>();
  return async (request) => {
    const { method, path, headers } = request;
    if (method !== 'GET' || path.includes('/billing-accounts/')) return behind(request);
    const name = `${path} ${headers['authorization']}`;
    const page = pages.get(name);
    if (page !== undefined && clock.now() < page.until) return page.answer;
    const answer = await behind(request);
    pages.set(name, { answer, until: clock.now() + 15_000 });
    return answer;
  };
};

test('a page may be read that is newer than the list around it, after a deletion that removes models', async () => {
  const after = ['delete.gone-or-marked/at-once', 'delete.gone-or-marked/in-sequence', 'delete.cleanup'];
  expect(await saidBy('paging.any-id-is-cursor/listModels/later', { through: kept, after })).toEqual([]);
});
