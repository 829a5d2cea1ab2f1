import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Deployment, type HttpRequest, type HttpResponse, TransportError } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import type { Target } from '../../core/target.ts';
import { choices } from '../../reference/choices/choices.ts';
import { faults } from '../../reference/faults/faults.ts';
import { createReference } from '../../reference/reference.ts';
import { type Diagnosis, diagnose } from './doctor.ts';

type Changed = Partial<Parameters<typeof createReference>[0]>;

function look(
  changed: Changed = {},
  wrap: (reference: Deployment) => Deployment = (reference) => reference,
  retarget: (target: Target) => Target = (target) => target,
): Promise<Diagnosis> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, ...changed });
  const options = { deployment: wrap(deployment), target: retarget(target), clock, seed: 1, invariants: [] };
  return diagnose(createSession(options));
}

function answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: Buffer.from(body) };
}

const always = (response: HttpResponse) => () => (): Promise<HttpResponse> => Promise.resolve(response);
const unauthorized = answer(401, '{"error":{"title":"Unauthorized","detail":"d"}}');
const holder = (request: HttpRequest) => request.headers['authorization'] ?? '';

function keyOf(wanted: string): string {
  const { target } = createReference({ clock: virtualClock(), seed: 1 });
  return target.principals.find(({ name }) => name === wanted)?.key ?? '';
}

test('the reference can be judged, by at most three reading requests a principal', async () => {
  const sent: HttpRequest[] = [];
  const { unusable, notes, requests, probes, answered } = await look({}, (reference) => (request) => {
    sent.push(request);
    return reference(request);
  });
  expect([unusable, notes]).toEqual([undefined, []]);
  expect(requests).toBe(sent.length);
  expect(answered).toMatchObject([
    { request: { method: 'GET' }, outcome: { response: { status: 200, body: { length: 0 } } } },
  ]);
  expect(sent.length).toBeLessThanOrEqual(15);
  expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(probes[0]).toMatchObject({ operation: 'listModels', isAdmin: true, sign: 'speaks' });
});

test.each(faults.map(({ name }) => name))('a deployment with the fault %s can be judged', async (fault) => {
  expect((await look({ faults: [fault] })).unusable).toBeUndefined();
});

test.each(choices.flatMap(({ axis, values }) => Object.keys(values).map((value) => [axis, value] as const)))(
  'a deployment that chose %s=%s can be judged',
  async (axis, value) => {
    expect((await look({ choices: { [axis]: value } })).unusable).toBeUndefined();
  },
);

test.each([
  ['500 with a body of its own', always(answer(500, '{"message":"x"}'))],
  ['429 for everything', always(answer(429, 'slow down'))],
  ['answers of another content type', always(answer(200, '{"data":[],"pagination":{}}'))],
  ['cut JSON', always(answer(200, '{"data":[{"id":'))],
  [
    'no answer to list models',
    (reference: Deployment) => (request: HttpRequest) =>
      request.path.includes('/models') ? Promise.reject(new TransportError('reset', 'x')) : reference(request),
  ],
])('%s can be judged', async (_what, wrap) => {
  expect((await look({}, wrap)).unusable).toBeUndefined();
});

test.each([
  [
    'no answer at all',
    () => () => Promise.reject(new TransportError('refused', 'Nothing.')),
    /Cannot judge \S+: Nothing\./,
  ],
  ['a web page', always(answer(200, '<html>')), /This API is not at .* gets 200 with text\/html/],
  ['404 for everything', always(answer(404, 'Not found')), /This API is not at .* gets 404 with text\/html/],
  ['errors of another API', always(answer(404, '{"message":"no route"}')), /This API is not at .* gets 404/],
  [
    'a gateway',
    always(answer(502, '<html>')),
    /Cannot judge .*: 502 with text\/html\. The service behind the gateway does not answer/,
  ],
  [
    'a redirect',
    always(answer(301, '', { location: 'https://x.test/\u001b[2J' })),
    /gets 301 to https:\/\/x\.test\/\\u001b/,
  ],
  [
    '404 for everything in the form of this API, as under another base path',
    always(answer(404, '{"error":{"title":"NotFound","detail":"There is no such route."}}')),
    /has nothing that the target file declares: .*alice \(\$AWC_KEY_ALICE\).* 404\. Are the base URL and the IDs right\?/,
  ],
  ['401 for everyone', always(unauthorized), /^No key works: .*alice \(\$AWC_KEY_ALICE\).*erin/],
] as const)('with %s, no verdict is possible', async (_what, wrap, sentence) => {
  expect((await look({}, wrap)).unusable).toMatch(sentence);
});

test('the notes mention a key that is refused everywhere while others work', async () => {
  const alice = keyOf('alice');
  const { unusable, notes } = await look(
    {},
    (reference) => (request) => (holder(request).endsWith(alice) ? Promise.resolve(unauthorized) : reference(request)),
  );
  const [note = ''] = notes;
  expect(unusable).toBeUndefined();
  expect(note).toMatch(/^The key of alice is refused: .* If \$AWC_KEY_ALICE is wrong, correct it/);
  expect(notes).toHaveLength(1);
});

test('only the keys of admins are wrong', async () => {
  const bob = keyOf('bob');
  const { unusable } = await look(
    {},
    (reference) => (request) => (holder(request).endsWith(bob) ? reference(request) : Promise.resolve(unauthorized)),
  );
  expect(unusable).toMatch(/^No admin key works: every request of alice \(\$AWC_KEY_ALICE\), carol/);
});

test('a deployment that lacks one declared resource can be judged', async () => {
  const elsewhere = (target: Target): Target => ({
    ...target,
    principals: target.principals.map((principal) =>
      principal.name === 'alice' ? { ...principal, adminOf: ['org_nowhere'] } : principal,
    ),
  });
  expect((await look({}, undefined, elsewhere)).unusable).toBeUndefined();
});

test('without organizations and accounts, a refusal shows that the API answers', async () => {
  const bare = (target: Target): Target => ({
    ...target,
    principals: target.principals.filter(({ name }) => name === 'bob'),
    organizations: [],
    billingAccounts: [],
  });
  expect((await look({}, undefined, bare)).unusable).toBeUndefined();
  expect((await look({}, always(unauthorized), bare)).unusable).toMatch(/^No key works/);
});
