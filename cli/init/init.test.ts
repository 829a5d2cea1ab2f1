import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseWaivers } from '../../waivers/waiver-file.ts';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { awc, awcWith, servedReference, startAwc, temporaryFolder } from '../../testing/try-awc.ts';

test('init writes a file without keys, never overwrites one, and the doctor accepts the file', async () => {
  const refused = { status: 403, headers: {}, body: new Uint8Array() };
  const target = await servedReference({
    wrap: (reference) => async (request) =>
      request.headers['x-gateway'] === 'secret-of-gateway' ? reference(request) : refused,
  });
  const [alice, bob] = target.principals;
  const [main, owner] = [target.organizations[0], target.billingAccounts[0]];
  const cwd = await temporaryFolder();
  const env = { AWC_KEY_ALICE: alice?.key ?? '', AWC_KEY_BOB: bob?.key ?? '', AWC_GATEWAY: 'secret-of-gateway' };
  const path = join(cwd, 'target.yaml');
  const answers = [
    ['--base-url', target.baseUrl, '--header', 'X-Gateway=AWC_GATEWAY'],
    ['--principal', 'alice=AWC_KEY_ALICE', '--principal', 'bob=AWC_KEY_BOB'],
    ['--admin-of', `alice=${alice?.adminOf.join(',')}`, '--admin-of', 'bob='],
    ['--chats', `${main?.id}=${main?.chats.join(',')}`, '--billing-account', `${owner?.id}=${owner?.owner}`],
    ['--idempotency-header', 'Idempotency-Key'],
  ].flat();
  const written = await startAwc(['init', ...answers], { cwd, env }).ended;
  expect(written, written.err).toMatchObject({ code: 0, out: 'target.yaml written.\nawc doctor target.yaml\n' });
  expect(written.err).toContain(`alice sees in ${main?.id}: 100 or more models`);
  const text = await readFile(join(cwd, 'target.yaml'), 'utf8');
  for (const key of Object.values(env)) expect(text + written.err).not.toContain(key);

  await writeFile(join(cwd, 'target.yaml'), `${text}# changed\n`);
  const [doctor, again] = await Promise.all([
    startAwc(['doctor', path], { env }).ended,
    awcWith(env, 'init', path, ...answers),
  ]);
  expect(doctor, doctor.err).toMatchObject({ code: 0 });
  expect(doctor.out).toMatch(/nothing was changed\n\nThis deployment can be judged\.\n$/);
  expect(doctor.out).not.toContain('✗');
  expect(again).toMatchObject({ code: 2, err: expect.stringMatching(/target\.yaml already exists: .* --force/) });
  expect(await readdir(cwd)).toEqual(['target.yaml']);
  expect(await readFile(join(cwd, 'target.yaml'), 'utf8')).toContain('# changed');
});

test('init reaches a deployment that wants a client certificate, and says once what is missing without it', async ({
  skip,
}) => {
  const made = makeCertificates();
  if (made === undefined) return skip('needs openssl to make certificates');
  const lists = '{ "data": [], "pagination": { "nextCursor": null, "hasMore": false } }';
  const answering: RequestListener = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(lists);
  const server = createTlsServer({ ...made.good, ca: made.authority, requestCert: true }, answering);
  const baseUrl = (await listen(server)).replace('http:', 'https:');
  const cwd = await temporaryFolder();
  const files = { 'ca.pem': made.authority, 'client.pem': made.good.cert, 'client.key': made.good.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  const path = join(cwd, 'target.yaml');
  const answers = ['--base-url', baseUrl, '--principal', 'alice=AWC_KEY_ALICE', '--admin-of', 'alice=org_1'];
  const init = (...args: readonly string[]) =>
    awcWith({ AWC_KEY_ALICE: 'key-of-alice' }, 'init', path, ...answers, '--force', ...args);

  const refused = await init('--tls-ca', 'ca.pem');
  expect(refused).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Cannot judge .*set tls\.cert and tls\.key\.\n$/),
  });
  const own = ['--tls-ca', 'ca.pem', '--tls-cert', 'client.pem', '--tls-key', 'client.key', '--http2', 'auto'];
  const reached = await init(...own);
  expect(reached.err).toBe('alice sees in org_1: 0 models, 0 data sources\n');
  expect(await readFile(join(cwd, 'target.yaml'), 'utf8')).toMatch(
    /\ntls: \{ ca: ca\.pem, cert: client\.pem, key: client\.key \}\n[^]*\nhttp2: auto\n/,
  );
  const wrong = await init('--tls-ca', 'none.pem', '--proxy', 'ftp://${AWC_KEY_ALICE}@x');
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringMatching(/do not make a valid target file: tls\.ca cannot be read: .*; proxy is not the URL/),
  });
});

test('init --accept-gaps writes what a run did not exercise, and the next run is green', async () => {
  const out = await temporaryFolder();
  const run = ['run', '--only', 'wait.*', '--only', 'conflict.body', '--choice', 'assistant=at-once', '--out', out];
  expect(await awc(...run)).toMatchObject({ code: 4 });
  const [report, file] = [join(out, 'report.json'), join(out, 'waivers.yaml')];
  const init = ['init', '--accept-gaps', report, file, '--owner', 'Team ${X}', '--expires', '2999-12-31'];
  expect(await awc(...init)).toMatchObject({ code: 0 });
  const suites = [{ id: 'conflict.body', requirement: 'conflict.body' }];
  const text = await readFile(file, 'utf8');
  expect(text).toContain('notExercised: conflict.body');
  expect(() => parseWaivers(text, file, {}, suites)).toThrow(/names wait\.holds/);

  const green = await awc(...run, '--waivers', file);
  expect(green).toMatchObject({ code: 0 });
  expect(green.out).toMatch(/\nAccepted gaps \(not exercised\)\n(.*\n)*\nConformant, with accepted gaps: /);
  expect(green.out).toContain('Accepted until 2999-12-31 by Team ${X}: ');
  expect(await awc(...run, '--waivers', file, '--only', 'conflict.race')).toMatchObject({ code: 4 });

  const stale = await awc('run', '--only', 'wait.*', '--waivers', file);
  expect(stale).toMatchObject({ code: 1, out: expect.stringContaining('is stale: the run exercised it') });
  expect(await awc(...init)).toMatchObject({ code: 2, err: expect.stringContaining('already exists') });
});
