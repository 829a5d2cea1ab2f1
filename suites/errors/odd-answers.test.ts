import { expect, test } from 'vitest';
import { type Deployment, type HttpRequest, TransportError } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = (behind: Deployment) => Deployment;

/** Whether the client accepts the coding of a check alone. */
function asksForCoding({ headers }: HttpRequest): boolean {
  return ['gzip', 'br'].includes(headers['accept-encoding'] ?? '');
}

/** Each answer differs from the one before. */
const changing: Through = (behind) => {
  let count = 0;
  return async (request) => {
    const answer = await behind(request);
    const body: unknown = JSON.parse(Buffer.from(answer.body).toString());
    count += 1;
    return { ...answer, body: Buffer.from(JSON.stringify({ ...(typeof body === 'object' ? body : {}), count })) };
  };
};

const otherwiseCompressed: Through = (behind) => {
  const changed = changing(behind);
  return (request) => (asksForCoding(request) ? changed(request) : behind(request));
};

const resetWhereCompressed: Through = (behind) => async (request) => {
  if (asksForCoding(request)) throw new TransportError('reset', 'it broke');
  return behind(request);
};

const cutWhereCompressed: Through = (behind) => async (request) => {
  if (asksForCoding(request)) throw new TransportError('truncated', 'it is cut');
  return behind(request);
};

test.each([
  ['data changes all the time', changing, []],
  ['what is compressed differs', otherwiseCompressed, [/^failed: expected with gzip, the same data as without/]],
  ['what is compressed is cut', cutWhereCompressed, [/^failed: expected an answer that can be decoded, with gzip/]],
  ['connections break', resetWhereCompressed, [/^errored: .*it broke/]],
] as const)('where %s', async (_what, through, said) => {
  expect(await saidBy('robustness.answered/compressed', { through })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

test('each operation that reads is asked for a compressed answer', async () => {
  const asked = new Set<string | undefined>();
  const through: Through = (behind) => (request) => {
    if (asksForCoding(request)) asked.add(/models|data-sources|billing-accounts/.exec(request.path)?.[0]);
    return behind(request);
  };
  expect(await saidBy('robustness.answered/compressed', { through })).toEqual([]);
  expect(asked).toEqual(new Set(['billing-accounts', 'data-sources', 'models']));
});

test('JSON that an odd ID breaks is named with the reason why it is none', async () => {
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    const isOdd = request.path.includes('%22odd');
    return isOdd ? { ...answer, body: Buffer.from('{"error":"awc "odd"}') } : answer;
  };
  expect(await saidBy('robustness.json/quoted', { through })).toEqual([
    expect.stringMatching(/^failed: expected JSON, as the content type says, .*; got .*JSON/),
  ]);
});
