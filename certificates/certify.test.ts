import { describe, expect, test } from 'vitest';
import type { Deployment } from '../core/http.ts';
import { createRedactor } from '../core/redaction/redact.ts';
import { disguises } from '../testing/disguises.ts';
import type { Target } from '../core/target.ts';
import type { Bundle } from './bundle/bundle.ts';
import { certifiedBundle, certifyReference, newKey, textIn, verifier } from '../testing/try-bundle.ts';
import { verifyBundle } from './verify-bundle.ts';

const vendor = newKey();

/** Keys in the forms that vendors use. No bundle may contain one, whole or in part. */
const canaries: Readonly<Record<string, string>> = {
  alice: 'canary-key-of-alice-4f9a1c77e2',
  bob: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib2IifQ.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXkg',
  carol: 'Y2FuYXJ5LW9mLWNhcm9s/+Y2FuYXJ5==',
  dave: 'clé_de_Dave_ÿÿ_7402958136',
  erin: '8c1f52',
};

const disguised = Object.values(canaries).flatMap((key) => disguises.map(([, disguise]) => disguise(key).toString()));

/** The reference behind other keys, which shows them in its answers. */
function withCanaries(reference: Deployment, target: Target): { deployment: Deployment; target: Target } {
  const principals = target.principals.map((principal) => ({ ...principal, key: canaries[principal.name] ?? '' }));
  const issued = new Map(principals.map(({ key }, index) => [key, target.principals[index]?.key ?? '']));
  const deployment: Deployment = async (request) => {
    const [, scheme = '', key = ''] = /^(\S+ +)(.*)$/.exec(request.headers['authorization'] ?? '') ?? [];
    const authorization = issued.get(key);
    const headers =
      authorization === undefined ? request.headers : { ...request.headers, authorization: scheme + authorization };
    const answer = await reference({ ...request, headers });
    const keys = [...issued.keys()].join(' ');
    const body = Buffer.from(answer.body)
      .toString()
      .replace('"name":"', `"name":${JSON.stringify(`${keys} ${disguised.join(' ')} `).slice(0, -1)}`);
    const shownBody = request.path.startsWith('/api/public/billing-accounts') ? Buffer.from(body) : answer.body;
    const echo = Buffer.from(keys).toString('base64');
    return {
      ...answer,
      body: shownBody,
      headers: { ...answer.headers, 'x-keys': encodeURIComponent(keys), 'x-echo': echo },
    };
  };
  return { deployment, target: { ...target, name: `Staging ${canaries['alice']}`, principals } };
}

function certified(options: Parameters<typeof certifiedBundle>[1] = {}): Promise<Bundle> {
  return certifiedBundle(vendor, options);
}

function predicate(bundle: Bundle) {
  const { payload } = JSON.parse(textIn(bundle, 'certificate.json'));
  return JSON.parse(Buffer.from(payload, 'base64').toString()).predicate;
}

test('a run behind a gateway, in which a should is broken, is certified, and the bundle says which and has no secret', async () => {
  const secret = { key: canaries['alice'] ?? '', variable: '$GATEWAY' };
  const wrap = (deployment: Deployment, target: Target) => ({
    deployment: async (request: Parameters<Deployment>[0]) => {
      const isLet = request.headers['x-gateway'] === `key ${secret.key}`;
      return isLet ? deployment(request) : { status: 403, headers: {}, body: new Uint8Array() };
    },
    target: {
      ...target,
      secrets: [secret],
      principals: target.principals.map((one) => ({ ...one, headers: { 'x-gateway': `key ${secret.key}` } })),
    },
  });
  const bundle = await certified({ wrap, choices: { 'limit-out-of-range': 'clamp' } });
  const { result, warnedTests, failedTests, passedTests } = predicate(bundle);
  expect([result, failedTests]).toEqual(['WARNED', []]);
  expect(warnedTests).toEqual(['paging.limit-refused/listModels', 'paging.limit-refused/listDataSources']);
  expect(passedTests.length).toBeGreaterThan(200);
  expect(textIn(bundle, 'run.json')).toContain('$GATEWAY');
  for (const bytes of bundle.values()) expect(Buffer.from(bytes).includes(secret.key)).toBe(false);
});

describe('not certified is', () => {
  test('a deployment that breaks a promise', async () => {
    expect(await certifyReference(vendor, { faults: ['later-pages-short'] })).toMatchObject({
      kind: 'refused',
      reasons: expect.arrayContaining([expect.stringMatching(/^paging\.\S+ failed: expected .*; got /)]),
    });
  });

  test('a deployment with something that cannot be observed, which the output names', async () => {
    const wrap = (deployment: Deployment, target: Target) => ({
      deployment,
      target: { ...target, allow: new Set(['messages', 'deletions', 'rateLimit'] as const) },
    });
    expect(await certifyReference(vendor, { wrap })).toMatchObject({
      kind: 'refused',
      reasons: expect.arrayContaining([
        'attach.success blocked: not allowed: add attachments to allow in the target file',
      ]),
    });
  });
});

test('no key is in a bundle, in whole or in part, and it can be judged again without them', async () => {
  const bundle = await certified({ wrap: withCanaries });
  const redactor = createRedactor(Object.entries(canaries).map(([name, key]) => ({ key, variable: name })));
  for (const name of bundle.keys()) {
    const text = textIn(bundle, name);
    for (const form of [...Object.values(canaries), ...disguised]) {
      expect(text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1)), `${form} in ${name}`).toBe(false);
    }
    expect(
      redactor.pieces(text).filter(({ kind }) => kind === 'secret'),
      name,
    ).toEqual([]);
  }
  expect(textIn(bundle, 'exchanges.ndjson')).toContain('$AWC_KEY_ALICE');
  expect(await verifyBundle(bundle, verifier())).toMatchObject({ kind: 'verified' });
});

test('a run over several entry points is certified, and judged again from its recording', async () => {
  const bundle = await certified({ choices: { 'entry-points': 'two-lagging' } });
  expect(await verifyBundle(bundle, verifier(vendor))).toMatchObject({ kind: 'verified' });
});
