import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Listed = Readonly<Record<string, unknown>> & { readonly id: string };

/** The deletions of the organization that have no other one before them: how many there were, and since when, in milliseconds. */
type Asked = { readonly ids: readonly string[]; readonly sinceMs: number };

/** An organization in which some deletions are answered with a status, and whose data sources are shown in another way. */
const elsewhere =
  (statusOf: (asked: Asked) => number | undefined, shown?: (sources: readonly Listed[], asked: Asked) => unknown) =>
  (...[behind, clock]: readonly [Parameters<Through>[0], Clock, ...unknown[]]): ReturnType<Through> => {
    const ids: string[] = [];
    let first: number | undefined;
    return async (request) => {
      const id = /\/org_other\/data-sources\/?([^/?]*)/.exec(request.path)?.[1];
      if (id === undefined) return behind(request);
      const asked = () => ({ ids, sinceMs: first === undefined ? 0 : clock.now() - first });
      if (request.method === 'DELETE') {
        ids.push(id);
        first ??= clock.now();
        const status = statusOf(asked());
        return status === undefined ? behind(request) : errorAnswer(status);
      }
      const answer = await behind(request);
      if (shown === undefined || answer.status !== 200) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: shown(data, asked()) })) };
    };
  };

/** What is deleted, by this run or by one before it, stays listed with another value in that field. */
const marking =
  (field: string, value: unknown): Through =>
  (behind) => {
    const deleted = new Map<string, Listed>();
    return async (request) => {
      const [, organization, id] = /organizations\/(\w+)\/data-sources\/?([^/?]*)/.exec(request.path) ?? [];
      if (organization === 'org_other' && request.method === 'DELETE') return errorAnswer(404);
      const answer = await behind(request);
      if (organization === undefined || answer.status !== 200) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      if (request.method === 'DELETE') deleted.set(id ?? '', { ...data, [field]: value });
      if (!Array.isArray(data)) return answer;
      const gone = request.path.includes('cursor') || organization === 'org_other' ? [] : [...deleted.values()];
      const listed = data.map((one) => (organization === 'org_other' ? { ...one, [field]: value } : one));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: [...gone, ...listed] })) };
    };
  };

const id = 'access.granted/deleteDataSource/every-organization';
const refused = (status: number) => [
  expect.stringMatching(
    `^failed: expected 2xx for \\w+, a declared admin, deleting a listed data source of org_other; got ${status}`,
  ),
];
const byOthers = [
  expect.stringMatching(/^blocked: only data sources of org_other that are declared disposable are gone/),
];
const unclear = (status: number) => [expect.stringMatching(`^blocked: the deletion of \\S+ was answered ${status}`)];

test.each<[string, Through, readonly unknown[]]>([
  ['are deleted', elsewhere(() => undefined), []],
  ['are not found', elsewhere(() => 404), refused(404)],
  ['are refused to each admin', elsewhere(() => 403), refused(403)],
  [
    'are deleted but for the first, which an earlier run deleted',
    elsewhere(({ ids }) => (ids.length === 1 ? 404 : undefined)),
    [],
  ],
  ['are synchronised for a while', elsewhere(({ sinceMs }) => (sinceMs < 20_000 ? 409 : undefined)), []],
  [
    'were deleted by another run',
    elsewhere(
      () => 404,
      (all, { ids }) => (ids.length === 0 ? all : []),
    ),
    byOthers,
  ],
  [
    'were deleted by another run, which a copy of the list shows late',
    elsewhere(
      () => 404,
      (all, { sinceMs }) => (sinceMs < 10_000 ? all : []),
    ),
    byOthers,
  ],
  [
    'are not found, and another run deleted the second one',
    elsewhere(
      () => 404,
      (all, { ids }) => all.filter((one) => one.id !== ids[1]),
    ),
    byOthers,
  ],
  ['are behind a gateway that is overloaded', elsewhere(() => 503), unclear(503)],
  ['cause an internal error', elsewhere(() => 500), refused(500)],
  ['bear an unknown mark of earlier deletions', marking('state', 'off'), []],
  ['bear a mark of earlier deletions in their name', marking('displayName', 'x'), []],
])('data sources of another organization that %s', async (_what, through, said) => {
  expect(await saidBy(id, { through })).toEqual(said);
});
