import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { HttpRequest, HttpResponse } from '../../core/http.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Deletions of other data sources than the first one of the run are answered by `say`, or as usual if it gives nothing. */
const further =
  (
    say: (sinceMs: number, send: () => Promise<HttpResponse>) => Promise<HttpResponse> | HttpResponse | undefined,
  ): Through =>
  (...[behind, clock]: readonly [(request: HttpRequest) => Promise<HttpResponse>, Clock, ...unknown[]]) => {
    let recorded: string | undefined;
    let since: number | undefined;
    return async (request) => {
      if (request.method !== 'DELETE') return behind(request);
      if (recorded === undefined) {
        const answer = await behind(request);
        if (answer.status === 200) recorded = request.path;
        return answer;
      }
      if (request.path === recorded) return behind(request);
      since ??= clock.now();
      return (await say(clock.now() - since, () => behind(request))) ?? behind(request);
    };
  };

const id = 'delete.record/unlike';
const json = (body: unknown): HttpResponse => ({
  ...errorAnswer(200),
  body: Buffer.from(JSON.stringify(body)),
});

test.each<[string, Through, readonly RegExp[]]>([
  ['are deleted', further(() => undefined), []],
  ['cause an exception', further(() => errorAnswer(500)), [/^failed: expected 2xx for a data source that is/]],
  ['are synchronized for a while', further((sinceMs) => (sinceMs < 20_000 ? errorAnswer(409) : undefined)), []],
  ['were deleted by an earlier run, and stay listed', further(() => errorAnswer(404)), [/^blocked: the deletion of /]],
  ['are answered without a record', further(() => json({ data: null })), [/^failed: expected data with id/]],
  [
    'were deleted by another run',
    further(async (_sinceMs, send) => {
      await send();
      return errorAnswer(404);
    }),
    [/^blocked: only data sources of \S+ that are declared disposable are gone/],
  ],
])('data sources unlike the first that %s', async (_what, through, said) => {
  expect(await saidBy(id, { through })).toEqual(said.map((one) => expect.stringMatching(one)));
});

test('few data sources are declared, and none but the first is deleted', async () => {
  const part: TrialOptions['part'] = (target) => ({
    ...target,
    organizations: target.organizations.map((one) => ({
      ...one,
      disposableDataSources: one.disposableDataSources.slice(0, one.id === 'org_main' ? 4 : 0),
    })),
  });
  expect(await saidBy(id, { part, through: further(() => errorAnswer(500)) })).toEqual([]);
});

test('another admin deletes than the one who reads the lists, or that one if the other is refused', async () => {
  const keys = new Map<string, string>();
  const declared = new Set<string>();
  const part: TrialOptions['part'] = (target) => {
    for (const { name, key } of target.principals) keys.set(`Bearer ${key}`, name);
    for (const { disposableDataSources } of target.organizations)
      for (const one of disposableDataSources) declared.add(encodeURIComponent(one));
    return target;
  };
  const deleters: (string | undefined)[] = [];
  const through: Through = (behind) => {
    let recorded: string | undefined;
    return async (request) => {
      const { method, path, headers } = request;
      if (method !== 'DELETE' || path === recorded || !declared.has(path.split('/').at(-1) ?? ''))
        return behind(request);
      const isFirst = recorded === undefined;
      recorded ??= path;
      if (isFirst) return behind(request);
      deleters.push(keys.get(headers['authorization'] ?? ''));
      return deleters.length === 1 ? errorAnswer(403) : behind(request);
    };
  };
  expect(await saidBy(id, { part, through })).toEqual([]);
  expect(deleters).toEqual(['dave', 'alice']);
});
