import { expect, test } from 'vitest';
import { hash } from '../../core/hash.ts';
import type { HttpResponse } from '../../core/http.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';
import { withModelFields } from '../../testing/answers/with-model-fields.ts';

/** Models have a column that depends on the request, or on how many there were before it. */
const shown = (nullable: (path: string, turn: number) => boolean): NonNullable<TrialOptions['through']> =>
  withModelFields((path, turn) => ({
    columns: [{ name: 'a', nullable: nullable(path, turn), example: null, type: 'null' }],
  }));

/** Columns are inferred anew once after that many answers, but each page is kept for a minute. */
const kept = (before: number): NonNullable<TrialOptions['through']> => {
  const inferred = shown((_path, turn) => turn > before);
  return (behind, clock, target) => {
    const pages = new Map<string, { readonly until: number; readonly answer: HttpResponse }>();
    const fresh = inferred(behind, clock, target);
    return async (request) => {
      const known = pages.get(request.path);
      if (known !== undefined && clock.now() < known.until) return known.answer;
      const answer = await fresh(request);
      if (request.path.includes('/models')) pages.set(request.path, { until: clock.now() + 60_000, answer });
      return answer;
    };
  };
};

/** A load balancer sends all requests for one page to one of two servers. */
const serverOf = (path: string): number => Math.imul(hash(path), 0x9e3779b1) >>> 31;

test.each([4, 5, 6, 7, 8, 10, 12, 16, 20])(
  'columns that are inferred anew after %i pages, each kept for a minute',
  async (before) => {
    expect(await saidBy('models.same-columns', { through: kept(before) })).toEqual([]);
  },
);

test('columns that differ between servers that each answer some pages', async () => {
  expect(await saidBy('models.same-columns', { through: shown((path) => serverOf(path) === 0) })).toEqual([]);
});

test.each([
  ['are inferred anew once', (_path: string, turn: number) => turn > 4, []],
  ['are inferred for each answer', (_path: string, turn: number) => (turn * 7) % 5 < 2, []],
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(
    (servers) =>
      [
        `differ between ${servers} servers that take turns`,
        (_path: string, turn: number) => turn % servers === 0,
        [],
      ] as const,
  ),
  [
    'depend on the size of the page',
    (path: string) => Number(/limit=(\d+)/.exec(path)?.[1]) > 80,
    [expect.stringMatching(/^warned: expected columns .*true.* on every page; got .*false.* on another page/)],
  ],
] as const)('columns that %s', async (_how, nullable, said) => {
  expect(await saidBy('models.same-columns', { through: shown(nullable) })).toEqual(said);
});
