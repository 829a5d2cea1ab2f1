import { expect, test } from 'vitest';
import { type Deployment, type HttpRequest, TransportError } from '../../core/http.ts';
import { errorAnswer, refusing } from '../../testing/answers/refusing.ts';
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

/** So many servers take turns, and the answers of one differ. */
const inTurns =
  (servers: number): Through =>
  (behind) => {
    let turn = 0;
    return (request) => {
      turn += 1;
      return turn % servers === 0 ? changing(behind)(request) : behind(request);
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
  ...[2, 3, 4, 5, 6, 7, 8].map((servers) => [`${servers} servers answer in turn`, inTurns(servers), []] as const),
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

const isMalformed = ({ body }: HttpRequest): boolean => String(body).endsWith('":');

test('an internal error for one parameter with brackets is a violation, where another one is refused first', async () => {
  const through = refusing(({ path }) => {
    if (/limit(%5B|\[)/i.test(path)) return 400;
    return /cursor(%5B|\[)/i.test(path) ? 500 : undefined;
  });
  expect(await saidBy('errors.no-5xx', { through })).toEqual([
    expect.stringMatching(/^warned: expected no 5xx for a request with cursor\[\]=5/),
  ]);
});

test.each([
  ['without a key', ({ headers }: HttpRequest) => headers['authorization'] === undefined],
  ['with limit=101', ({ path }: HttpRequest) => path.includes('limit=101')],
  ['with limit\\[\\]=5', ({ path }: HttpRequest) => /limit(%5B|\[)/i.test(path)],
  ['with an unknown filter', ({ path }: HttpRequest) => path.includes('databaseConnectionId=')],
  ['with wait=0', ({ path }: HttpRequest) => path.includes('wait=0')],
  ['with an empty message', ({ body }: HttpRequest) => String(body) === '{"message":""}'],
  ['without organizationId', ({ body }: HttpRequest) => String(body) === '{}'],
  ['with malformed JSON', isMalformed],
] as const)('an internal error for a request %s is a violation', async (mistake, isMistaken) => {
  const through = refusing((request) => (isMistaken(request) ? 500 : undefined));
  expect(await saidBy('errors.no-5xx', { through })).toEqual([
    expect.stringMatching(new RegExp(`^warned: expected no 5xx for a request ${mistake}`)),
  ]);
});

test('an internal error for models of a deleted data source is a violation', async () => {
  let deleted = '';
  const through: Through = (behind) => async (request) => {
    if (deleted !== '' && request.path.includes(`databaseConnectionId=${deleted}`)) return errorAnswer(500);
    const answer = await behind(request);
    if (request.method === 'DELETE' && answer.status < 300) deleted = request.path.split('/').at(-1) ?? '';
    return answer;
  };
  expect(await saidBy('errors.no-5xx', { through })).toEqual([
    expect.stringMatching(/^(warned|failed): expected no 5xx for a request filtered by what was deleted/),
  ]);
});

/** What is sent and answered during that check, such as `GET 200`. */
async function seenBy(id: string, options: Pick<Parameters<typeof saidBy>[1], 'after' | 'part'> = {}) {
  const seen: { readonly kind: string; readonly path: string }[] = [];
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    const resource = /messages|models|data-sources|billing-accounts/.exec(request.path)?.[0] ?? '';
    seen.push({ kind: `${request.method} ${resource} ${answer.status}`, path: request.path });
    return answer;
  };
  expect(await saidBy(id, { ...options, through })).toEqual([]);
  return seen;
}

const readSuccesses = ['GET billing-accounts 200', 'GET data-sources 200', 'GET models 200'];

test('where everything is allowed, typical answers of every operation are judged', async () => {
  const kinds = (await seenBy('errors.body')).map(({ kind }) => kind);
  expect(kinds).toEqual(
    expect.arrayContaining([
      ...readSuccesses,
      'POST messages 202',
      'POST messages 409',
      'DELETE data-sources 200',
      'POST billing-accounts 200',
    ]),
  );
});

test('where nothing is allowed, nothing is written, and reads are judged', async () => {
  const kinds = (await seenBy('errors.body', { part: (target) => ({ ...target, allow: new Set() }) })).map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(expect.arrayContaining(readSuccesses));
  expect(kinds.filter((kind) => /^(POST|DELETE) .* 2/.test(kind))).toEqual([]);
});

test('what was answered before is not asked again', async () => {
  const isSmall = ({ path }: { readonly path: string }) => path.endsWith('/models?limit=3');
  expect((await seenBy('errors.body')).filter(isSmall)).toHaveLength(1);
  expect((await seenBy('errors.body', { after: ['models.required-fields'] })).filter(isSmall)).toEqual([]);
});

test('an internal error for a principal without the role is a violation', async () => {
  expect(
    await saidBy('errors.no-5xx', {
      through: (behind, _clock, { principals }) => {
        const stranger = principals.find(({ adminOf }) => adminOf.length === 0);
        return async (request) =>
          request.headers['authorization'] === `Bearer ${stranger?.key}` ? errorAnswer(500) : behind(request);
      },
    }),
  ).toEqual([expect.stringMatching(/^warned: expected no 5xx for a request without the role/)]);
});
