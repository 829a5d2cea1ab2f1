import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Listed = Readonly<Record<string, unknown>> & { readonly id: string };

const id = 'access.granted/deleteDataSource';
const choices = { 'deleted-sources': 'deleted-at' };

/** What is deleted stays listed in another state. Some are refused with that status, and shown in that state from the beginning. */
const refusing =
  (isRefused: (id: string) => boolean, status: number, state: string, tried: Set<string> = new Set()): Through =>
  (behind) =>
  async (request) => {
    const [, source] = /\/data-sources\/?([^/?]*)/.exec(request.path) ?? [];
    if (source === undefined) return behind(request);
    if (request.method === 'DELETE') tried.add(source);
    if (request.method === 'DELETE' && isRefused(source)) return errorAnswer(status);
    const answer = await behind(request);
    if (answer.status !== 200 || request.method === 'DELETE') return answer;
    const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
    const shown = data.map(({ deletedAt, ...one }: Listed) => {
      const isDeleted = deletedAt !== undefined && deletedAt !== null;
      return { ...one, state: isDeleted ? 'off' : isRefused(one.id) ? state : 'on' };
    });
    return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: shown })) };
  };

/** The first data sources that a run tries to delete, if each is refused. */
async function firstTried(most: number): Promise<ReadonlySet<string>> {
  const tried = new Set<string>();
  await saidBy(id, { choices, through: refusing(() => true, 404, 'on', tried) });
  return new Set([...tried].slice(0, most));
}

const failed = [
  expect.stringMatching(/^failed: expected 2xx for \w+, a declared admin, deleting a data source; got 4/),
];

test.each<[string, number, number, string, readonly unknown[]]>([
  ['nothing', 0, 404, 'off', []],
  ['one, and it bears the mark of the deleted', 1, 404, 'off', []],
  ['two, and they bear the mark of the deleted', 2, 410, 'off', []],
  ['one, and it bears no mark', 1, 404, 'on', failed],
  ['one as forbidden', 1, 403, 'off', failed],
  ['all', 100, 404, 'off', failed],
])('a deployment that refuses to delete %s', async (_what, most, status, state, said) => {
  const refused = await firstTried(most);
  const isRefused = (source: string): boolean => most === 100 || refused.has(source);
  expect(await saidBy(id, { choices, through: refusing(isRefused, status, state) })).toEqual(said);
});

/** So many deletions are carried out and answered as if something else had carried them out a moment ago. */
const overtaken =
  (most: number): Through =>
  (behind) => {
    let count = 0;
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'DELETE' || answer.status !== 200) return answer;
      count += 1;
      return count <= most ? errorAnswer(404) : answer;
    };
  };

test.each([
  ['the first one a moment before', 1, []],
  ['each one a moment before, or answers 404 to each deletion', 100, failed],
] as const)('another client deletes %s', async (_what, most, said) => {
  expect(await saidBy(id, { through: overtaken(most) })).toEqual(said);
});
