import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { sha256 } from '../../core/hash.ts';
import type { Deployment, HttpResponse } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Answers that have an entity tag, made from the path and the body, and 304 to a client that has the tag. */
const tagged =
  (tagOf: (path: string, body: string, sinceDeletionMs: number) => string) =>
  (behind: Deployment, clock: Clock): Deployment => {
    let deletedAt = Number.POSITIVE_INFINITY;
    return async (request): Promise<HttpResponse> => {
      const answer = await behind(request);
      if (request.method === 'DELETE' && answer.status === 200) deletedAt = clock.now();
      if (request.method !== 'GET' || answer.status !== 200) return answer;
      const body = Buffer.from(answer.body).toString();
      const etag = `"${sha256(tagOf(request.path, body, clock.now() - deletedAt))}"`;
      if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: Buffer.of() };
      return { ...answer, headers: { ...answer.headers, etag } };
    };
  };

test.each([
  ['of the content', tagged((_path, body) => body), []],
  ['of the path for a moment', tagged((path, body, sinceMs) => (sinceMs < 8000 ? path : body)), []],
  [
    'of the path',
    tagged((path) => path),
    [/^failed: expected the page as it is now, for a client that has it .*; got 304/],
  ],
] as const)(
  'a client that has the page with the deleted data source, where tags are %s',
  async (_what, through, said) => {
    const expected = said.map((one) => expect.stringMatching(one));
    expect(await saidBy('delete.gone-or-marked/revalidated', { through })).toEqual(expected);
  },
);
