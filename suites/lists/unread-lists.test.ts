import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

type Empty = {
  /** The lists are empty for so many requests. */
  readonly reads: number;
  /** How old the records are that they show afterwards, in seconds; as they are if it is not given. */
  readonly seconds?: number;
  readonly hasDate?: boolean;
};

/** Lists of data sources that are empty at first. */
const emptyAtFirst =
  ({ reads, seconds, hasDate = false }: Empty): Through =>
  (behind, clock) => {
    let left = reads;
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/data-sources') || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const isEmpty = left > 0;
      left -= 1;
      const createdAt = new Date(clock.now() - 1000 * (seconds ?? 0)).toISOString();
      const records = data.map((one: object) => (seconds === undefined ? one : { ...one, createdAt }));
      const body = isEmpty
        ? { data: [], pagination: { hasMore: false, nextCursor: null } }
        : { data: records, pagination };
      const headers = hasDate ? { ...answer.headers, date: new Date(clock.now()).toUTCString() } : answer.headers;
      return { ...answer, headers, body: Buffer.from(JSON.stringify(body)) };
    };
  };

const seemedEmpty = /^failed: expected the first walk of the list of org_\w+ to show \d+ records .*; got no items/;

test.each([
  ['for a moment, although their records are old', { reads: 10, hasDate: true }, [seemedEmpty]],
  ['for a moment, and their records are new', { reads: 10, seconds: 1, hasDate: true }, []],
  ['for a moment, and their records are as old as clocks differ', { reads: 10, seconds: 50, hasDate: true }, []],
  ['for a moment, although their records are older', { reads: 10, seconds: 90, hasDate: true }, [seemedEmpty]],
  ['for a moment, and answers have no date', { reads: 10, seconds: 90 }, []],
  ['always', { reads: 10_000 }, [/^blocked: needs an organization with 3 data sources/]],
] as const)('where all lists are empty %s', async (_how, empty, said) => {
  const all = await saidBy('paging.walk/listDataSources', { through: emptyAtFirst(empty) });
  expect(all).toEqual(said.map((one) => expect.stringMatching(one)));
});

test.each([
  ['is refused', () => errorAnswer(400), /^failed: expected 2xx with the nextCursor of the page before/],
  ['is no page', undefined, /^failed: expected a page after the first one/],
] as const)('where the second page of a list %s', async (_how, made, said) => {
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    if (!request.path.includes('/org_main/data-sources') || !request.path.includes('cursor=')) return answer;
    return made === undefined ? { ...answer, body: Buffer.from('{"data":{}}') } : made();
  };
  expect(await saidBy('paging.walk/listDataSources', { through })).toEqual([expect.stringMatching(said)]);
});
