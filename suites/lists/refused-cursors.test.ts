import { expect, test } from 'vitest';
import type { HttpResponse } from '../../core/http.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

const id = 'paging.any-id-is-cursor/listModels/at-last';
const after = ['paging.any-id-is-cursor/listModels', 'models.filter'];
const failed = /^failed: expected a page behind ".*", which is listed before and after; got 400 "BadRequest"$/;

function answerOf(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}

const badRequest = answerOf(400, '{"error":{"title":"BadRequest","detail":"The cursor is not known."}}');

/** The first page of models behind a cursor gets another answer; later pages are altered if `later` says how, by the cursor. */
const refusingOnce =
  (
    refusal: HttpResponse,
    later?: (data: readonly { id: string }[], cursor: string) => readonly { id: string }[],
  ): Through =>
  (behind) => {
    let refused: string | undefined;
    return async (request) => {
      const [path = '', query] = request.path.split('?');
      if (!path.endsWith('/models')) return behind(request);
      const cursor = new URLSearchParams(query).get('cursor');
      if (refused === undefined && cursor !== null) {
        refused = cursor;
        return refusal;
      }
      const answer = await behind(request);
      if (refused === undefined || later === undefined || answer.status !== 200) return answer;
      const { data, ...rest } = JSON.parse(Buffer.from(answer.body).toString());
      return { ...answer, body: Buffer.from(JSON.stringify({ ...rest, data: later(data, refused) })) };
    };
  };

test('a cursor that is refused once is the ID of an item that stays listed', async () => {
  const said = await saidBy(id, { after, through: refusingOnce(badRequest) });
  expect(said).toEqual([expect.stringMatching(failed)]);
});

test.each<[string, Through]>([
  [
    'of an item that another client deleted',
    refusingOnce(badRequest, (data, cursor) => data.filter((item) => item.id !== cursor)),
  ],
  [
    'of an item that is marked as deleted since',
    refusingOnce(badRequest, (data, cursor) =>
      data.map((item) => (item.id === cursor ? { ...item, isDeleted: true } : item)),
    ),
  ],
  [
    'by a limit',
    refusingOnce(answerOf(429, '{"error":{"title":"RateLimitExceeded","detail":"Wait.","retryAfterMs":10}}')),
  ],
  ['for an expired key', refusingOnce(answerOf(401, '{"error":{"title":"Unauthorized","detail":"It expired."}}'))],
  ['by a gateway', refusingOnce(answerOf(404, '<html>Not Found</html>'))],
])('a cursor that is refused once %s is no violation', async (_what, through) => {
  expect(await saidBy(id, { after, through })).toEqual([]);
});
