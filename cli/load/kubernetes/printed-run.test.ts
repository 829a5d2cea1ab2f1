import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { makeCertificates } from '../../../testing/network/certificates.ts';
import { contextOn, createCollector, temporaryFolder } from '../../../testing/try-awc.ts';
import { UserError } from '../../shared/user-error.ts';
import { loadOnKubernetes } from './load-on-kubernetes.ts';

const key = 'sk-alice-6f1c93';

const targetText = `name: Staging
baseUrl: https://staging.example.com
principals:
  alice: { key: '\${AWC_KEY_ALICE}', adminOf: [org_main] }
allow: [load]
limits: { maxRequestsPerSecond: 200 }
`;

const profileText = `question: Is it fast?
load: { open: { rate: 50 } }
warmUp: 10s
duration: 60s
timeout: 5s
operations: { listModels: { weight: 1, limits: [10] } }
`;

const jobSchema = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()) }),
  spec: z.record(z.string(), z.unknown()).optional(),
  data: z.record(z.string(), z.string()).optional(),
});

type Files = {
  readonly target?: string;
  readonly profile?: string;
  /** Further files, by their paths from the folder of the target file. */
  readonly more?: Readonly<Record<string, string>>;
};

/** What `awc load --kubernetes --print` writes for these files. */
async function print({ target = targetText, profile = profileText, more = {} }: Files = {}, env = {}) {
  const folder = join(await temporaryFolder(), 'one');
  await mkdir(join(folder, 'certs'), { recursive: true });
  const files = { 'staging.yaml': target, 'checkout.yaml': profile, ...more };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const data = createCollector();
  const context = { ...contextOn(data), env: { AWC_KEY_ALICE: key, OTHER: 'other', ...env } };
  const options = {
    profile: join(folder, 'checkout.yaml'),
    image: 'registry.test/awc:1',
    shards: 3,
    seed: 7,
    print: true,
  } as const;
  expect(await loadOnKubernetes(join(folder, 'staging.yaml'), options, context)).toBe(0);
  const text = data.text();
  const objects = parseAllDocuments(text).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [jobSchema.parse(value)];
  });
  const [name = ''] = objects.map(({ metadata }) => metadata.name);
  return { text: text.replaceAll(name, 'awc-run'), objects, name };
}

const refusal = async (files: Files, env = {}) =>
  print(files, env).then(
    () => 'it was printed',
    (error: unknown) => (error instanceof UserError ? error.message : String(error)),
  );

test('prints the objects of a run, with how to create the Secret and no value of the environment', async () => {
  const { text } = await print();
  await expect(text).toMatchFileSnapshot('../../../deploy/example.yaml');
  expect(text).not.toContain(key);
});

test('keys need not be set: their variables are named, and must be set to create the Secret', async () => {
  const two = targetText.replace(
    'allow:',
    "  bob: { key: '${AWC_KEY_BOB}', adminOf: [] }\n  eve: { key: '${AWC_KEY_EVE:-}' }\nallow:",
  );
  const target = `${two}headers: { X-Gateway: 'of \${GATEWAY_KEY}' }\n`;
  const { text, objects } = await print({ target }, { AWC_KEY_ALICE: undefined });
  expect(text).toContain(
    `#   (echo "AWC_GATHER_TOKEN=$(openssl rand -hex 32)"; env | grep -E '^(AWC_KEY_ALICE|AWC_KEY_BOB|GATEWAY_KEY)=')`,
  );
  expect(text).toContain('# These variables were not set; set them first: AWC_KEY_ALICE, AWC_KEY_BOB, GATEWAY_KEY\n');
  expect(text).not.toContain('stand-in');
  const { text: whole } = await print({ target }, { AWC_KEY_BOB: 'key-of-bob', GATEWAY_KEY: 'key-of-gateway' });
  expect(whole).not.toContain('not set');
  expect(JSON.stringify(objects.at(-1))).toContain('"key":"AWC_KEY_BOB"');
});

test('a variable whose value decides what is printed must be set', async () => {
  const target = targetText.replace('https://staging.example.com', "'${BASE_URL}'");
  expect(await refusal({ target }, { AWC_KEY_ALICE: undefined })).toMatch(
    /BASE_URL is not set[^]*AWC_KEY_ALICE is not set/,
  );
});

test('two runs have different names', async () => {
  expect((await print()).name).not.toBe((await print()).name);
});

test('every object has the label that the clean-up selects', async () => {
  const { objects, name } = await print();
  expect(objects.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'Service',
    'NetworkPolicy',
    'NetworkPolicy',
    'Job',
    'Job',
  ]);
  for (const { metadata } of objects) expect(metadata.labels['app.kubernetes.io/instance']).toBe(name);
});

test('the coordinator accepts parts only and opens nothing; parts accept nothing', async () => {
  const { objects } = await print();
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const of = (role: string) => expect.objectContaining({ 'app.kubernetes.io/component': role });
  const ports = [{ protocol: 'TCP', port: 8080 }];
  expect(policies.map(({ spec }) => spec)).toMatchObject([
    {
      podSelector: { matchLabels: of('gather') },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: of('part') } }], ports }],
      egress: [],
    },
    {
      podSelector: { matchLabels: of('part') },
      ingress: [],
      egress: expect.arrayContaining([{ to: [{ podSelector: { matchLabels: of('gather') } }], ports }]),
    },
  ]);
});

test('no pod needs a volume that it writes to', async () => {
  const { text } = await print();
  expect(text).not.toMatch(/persistentVolumeClaim|emptyDir|fsGroup/);
});

const certificates = makeCertificates();

test.skipIf(certificates === undefined)('the files of TLS settings go into a Secret of their own', async () => {
  const { authority = '', good } = certificates ?? {};
  const more = { 'certs/ca.pem': authority, 'client.pem': good?.cert ?? '', "it's.key": good?.key ?? '' };
  const target = `${targetText}tls: { ca: certs/ca.pem, cert: client.pem, key: "./it's.key" }\n`;
  const { text } = await print({ target, more });
  expect(text).toContain(
    `#   kubectl create secret generic awc-run-files --from-file=0-ca.pem='certs/ca.pem' --from-file=1-client.pem='client.pem' --from-file=2-it_s.key='it'\\''s.key' --dry-run=client`,
  );
  expect(text).toMatch(/secret:\n +name: awc-run-files\n +items:\n +- key: 0-ca\.pem\n +path: target\/certs\/ca\.pem/);
  expect(text).not.toContain('-----BEGIN');
  const outside = await refusal({
    target: target.replace('certs/ca.pem', 'certs/../../ca.pem'),
    more: { '../ca.pem': authority, ...more },
  });
  expect(outside).toMatch(/^certs\/\.\.\/\.\.\/ca\.pem must be in the folder of the target file or below it/);
});

test('the deadline follows from the profile', async () => {
  const deadline = async (duration: string) => {
    const { objects } = await print({ profile: profileText.replace('60s', duration) });
    return z.int().parse(objects.at(-1)?.spec?.['activeDeadlineSeconds']);
  };
  expect((await deadline('10m')) - (await deadline('5m'))).toBe(300);
});

test('only the variables that the files read go to the pods', async () => {
  const target = targetText.replace('name: Staging', "name: '${STAGE:-Staging}' # not ${OTHER}");
  expect((await print({ target }, { STAGE: 'Eu', HTTPS_PROXY: 'http://proxy.test' })).text).toContain(
    "grep -E '^(AWC_KEY_ALICE|STAGE)='",
  );
  expect((await print({ target })).text).toContain("grep -E '^(AWC_KEY_ALICE)='");
});

describe('refuses what the pods could not run, or should not see', () => {
  test.each([
    [
      'a key in the target file',
      { target: targetText.replace("'${AWC_KEY_ALICE}'", key) },
      /has the key of alice in it/,
    ],
    [
      'another secret in it',
      { target: `${targetText}proxy: 'http://user:word-of-the-proxy@proxy.test'\n` },
      /has a secret in it/,
    ],
    ['hooks', { target: `${targetText}hooks: { setup: ./set-up.sh }\n` }, /has hooks/],
    [
      'a load without a schedule',
      { profile: profileText.replace('open: { rate: 50 }', 'closed: { connections: 2 }') },
      /schedule of an open load/,
    ],
    [
      'a load that the target does not allow',
      { target: targetText.replace('allow: [load]', 'allow: []') },
      /needs allow: \[load\]/,
    ],
    ['a wrong file', { target: 'name: 7\n' }, /staging\.yaml/],
  ])('%s', async (_what, files, message) => {
    const text = await refusal(files);
    expect(text).toMatch(message);
    expect(text).not.toContain(key);
  });
});
