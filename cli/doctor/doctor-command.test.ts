import { expect, test } from 'vitest';
import type { HttpResponse } from '../../core/http.ts';
import { awc, servedReference, writtenTarget } from '../../testing/try-awc.ts';

function answer(status: number, title: string, extra = {}): HttpResponse {
  const body = JSON.stringify({ error: { title, detail: 'd', ...extra } });
  return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
}

test('0: everything is as declared', async () => {
  const target = await servedReference();
  const { code, out } = await awc('doctor', await writtenTarget({ ...target, allow: new Set() }));
  expect([code, out.split('\n').filter((line) => line.includes('✗'))]).toEqual([0, []]);
  expect(out).toMatch(/^This deployment can be judged\.$/m);
});

test('1: an organization that is declared does not exist', async () => {
  const target = await servedReference();
  const principals = target.principals.map((each) =>
    each.name === 'alice' ? { ...each, adminOf: [...each.adminOf, 'org_unheard'] } : each,
  );
  const { code, out } = await awc('doctor', await writtenTarget({ ...target, principals, allow: new Set() }));
  expect(code, out).toBe(1);
  expect(out).toMatch(/✗ alice .* should reach org_unheard, but gets 404 "NotFound": correct the ID/);
  expect(out).toMatch(
    /^This deployment can be judged, but first correct what is wrong: see the line that begins with ✗\.$/m,
  );
});

test.each(['bob', 'alice', 'erin'])('1: the key of %s is wrong, which is one cause', async (name) => {
  const target = await servedReference();
  const principals = target.principals.map((each) => (each.name === name ? { ...each, key: 'a-wrong-key' } : each));
  const { code, out } = await awc('doctor', await writtenTarget({ ...target, principals, allow: new Set() }));
  expect(code, out).toBe(1);
  expect(out.split('\n').filter((line) => line.includes('✗'))).toEqual([
    expect.stringMatching(`✗ ${name} .* gets 401 for everything: correct the key, or report the deployment's bug$`),
    expect.stringContaining('✗.'),
  ]);
});

test.each([
  [500, 'Oops', {}, /every request gets 500 "Oops"\. See the log of the deployment\.$/],
  [429, 'RateLimitExceeded', { retryAfterMs: 60_000 }, /every request gets 429 "RateLimitExceeded"\. Wait until/],
])('3: every request gets %s, which is one cause', async (status, title, extra, sentence) => {
  const target = await servedReference({ wrap: () => () => Promise.resolve(answer(status, title, extra)) });
  const { code, out, err } = await awc('doctor', await writtenTarget(target));
  expect([code, out.trim().split('\n')]).toEqual([3, [expect.stringContaining(target.baseUrl)]]);
  expect(err.trim()).toMatch(sentence);
});

test('3: the first requests with one outcome make one line', async () => {
  const target = await servedReference({
    wrap: () => (request) =>
      Promise.resolve(request.path.includes('/models') ? answer(500, 'Oops') : answer(503, 'Overloaded')),
  });
  const { code, out } = await awc('doctor', await writtenTarget(target));
  expect(code).toBe(3);
  const lines = out.trim().split('\n').slice(1);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/✓ listModels of .*, as alice, .*: 500 "Oops"$/);
});
