import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { servedReference, startAwc, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';
import { unlessInterrupted, withHooks } from './with-hooks.ts';

const minimal = 'name: N\nbaseUrl: http://127.0.0.1:9\nprincipals: { a: { key: key_of_alice } }\n';

const environment: Readonly<Record<string, string | undefined>> = { PATH: process.env['PATH'] };

/** A folder with a target file that has these hooks, and what is needed to run them. */
async function hooked(setup: string | undefined, teardown: string | undefined, text = minimal, env = environment) {
  const folder = await temporaryFolder();
  const path = join(folder, 'target.yaml');
  await writeFile(path, `${text}hooks: ${JSON.stringify({ setup, teardown })}\n`);
  let said = '';
  const err = new PassThrough().on('data', (chunk: Buffer) => (said += chunk.toString()));
  const plan = { kind: 'file', path } as const;
  const run = <Result>(use: Parameters<typeof withHooks<Result>>[3]) => withHooks(plan, folder, { env, err }, use);
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  return { folder, path, run, read, said: () => said };
}

test('setup is merged, teardown reads what it printed, and both leave a log without keys', async () => {
  const setup = `echo made key_of_bob >&2; echo '{"name":"M","principals":{"b":{"key":"key_of_bob"}}}'`;
  const { run, read, said, path } = await hooked(setup, 'cat > torn-down; echo key_of_alice; echo $AWC_TARGET');
  expect(await run(async ({ deployment }) => deployment)).toEqual({
    kind: 'file',
    path,
    patch: { name: 'M', principals: { b: { key: 'key_of_bob' } } },
  });
  expect(JSON.parse(await read('torn-down'))).toMatchObject({ name: 'M' });
  const logs = (await read('setup.log')) + (await read('teardown.log'));
  expect(logs).toContain('{"name":"M","principals":{"b":{"key":"$AWC_KEY"}}}');
  expect(logs).toContain(path);
  expect(logs).not.toMatch(/key_of/);
  expect(said()).toBe('');
});

test.each([
  [
    'ends with an error',
    'echo key_of_alice is wrong >&2; exit 3',
    /^hooks\.setup ended with exit code 3\.\n {2}\$AWC_KEY is wrong$/s,
  ],
  ['prints no JSON', 'echo Hello key_of_alice', /^hooks\.setup printed invalid JSON .*: it must print one JSON object/],
  ['prints too much', 'head -c 3000000 /dev/zero', /^hooks\.setup printed over 1 MiB/],
])('a setup that %s ends the run before it begins, and is torn down', async (_what, setup, message) => {
  const { run, read } = await hooked(setup, 'touch torn-down');
  const used = run(() => Promise.reject(new Error('it was run all the same')));
  await expect(used).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
  expect(await read('torn-down')).toBe('');
});

test('logs and quoted lines show no password of a proxy, no passphrase and no value of a header', async () => {
  const unnamed = `
principals: { a: { key: key_of_alice, headers: { Cookie: cookie-of-the-file } } }
proxy: 'http://user:word-of-the-file@127.0.0.1:9'
headers: { X-Gateway: value-of-the-file }
tls: { passphrase: phrase-of-the-file }
`;
  const setup = `for stream in 1 2; do
echo http://user:word-of-the-file@127.0.0.1:9 >&$stream
echo X-Gateway: value-of-the-file >&$stream
echo cookie-of-the-file, phrase-of-the-file >&$stream
done; exit 3`;
  const { run, read } = await hooked(setup, undefined, unnamed);
  const message = await run(() => Promise.resolve('it was run all the same')).catch(String);
  expect(message).toMatch(/^UserError: hooks\.setup ended with exit code 3\./);
  expect(message + (await read('setup.log'))).not.toMatch(/-of-the-file/);
});

test('logs show no password of a proxy of the environment', async () => {
  const env = { PATH: process.env['PATH'], HTTPS_PROXY: 'http://user:word-of-the-proxy@127.0.0.1:9' };
  const { run, read } = await hooked('echo $HTTPS_PROXY >&2', undefined, minimal, env);
  await run(async () => 1);
  expect(await read('setup.log')).toMatch(/^http:\/\/\$AWC_KEY@127\.0\.0\.1:9$/m);
});

test('a setup that is interrupted is torn down, and nothing is run', async () => {
  const { run, read } = await hooked('touch begun; sleep 60', 'touch torn-down');
  const used = run(() => Promise.reject(new Error('it was run all the same')));
  const interrupted = expect(used).rejects.toMatchObject({ exitCode: 130 });
  await expect.poll(() => read('begun').catch(() => undefined), { timeout: 20_000 }).toBe('');
  process.emit('SIGINT', 'SIGINT');
  await interrupted;
  expect(await read('torn-down')).toBe('');
  expect(await read('setup.log')).toMatch(/^hooks\.setup was interrupted after/);
});

test('without hooks, the work hears of Ctrl-C, and no listener is left afterwards', async () => {
  const { run } = await hooked(undefined, undefined);
  const listeners = () => process.listenerCount('SIGINT');
  const before = listeners();
  const used = run(({ signal }) => unlessInterrupted(signal, new Promise(() => {}), 'too early'));
  const interrupted = expect(used).rejects.toMatchObject({ exitCode: 130, message: 'too early' });
  expect(listeners()).toBe(before + 1);
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT'); // npm hands the terminal's on
  await interrupted;
  expect(listeners()).toBe(before);
});

test('what fails in between is torn down, and a teardown that fails is reported', async () => {
  const { run, read, said } = await hooked(undefined, 'touch torn-down; echo no such thing >&2; exit 1');
  await expect(run(() => Promise.reject(new Error('planted')))).rejects.toThrow('planted');
  expect(await read('torn-down')).toBe('');
  expect(said()).toMatch(/^! hooks\.teardown ended with exit code 1\.\n {2}no such thing\n! .* left behind\.\n$/s);
});

test('a target file that is wrong sets nothing up', async () => {
  const { run, read } = await hooked('touch set-up', undefined, `${minimal}colour: red\n`);
  await expect(run(async () => 1)).rejects.toThrow(/colour is not a field/);
  await expect(read('set-up')).rejects.toThrow('ENOENT');
});

test('an interruption comes before work that goes on', async () => {
  const forEver = new Promise<never>(() => {});
  const controller = new AbortController();
  const raced = unlessInterrupted(controller.signal, forEver);
  controller.abort();
  await expect(raced).rejects.toMatchObject({ exitCode: 130 });
  await expect(unlessInterrupted(controller.signal, forEver)).rejects.toMatchObject({ exitCode: 130 });
  expect(await unlessInterrupted(new AbortController().signal, Promise.resolve(1))).toBe(1);
});

/** `awc doctor` on a target that never answers, with a teardown that leaves a file. */
async function hangingDoctor() {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const target = await servedReference({
    wrap: () => () => {
      resolve();
      return new Promise(() => {});
    },
  });
  const folder = await temporaryFolder();
  const file = await readFile(await writtenTarget(target), 'utf8');
  const path = join(folder, 'target.yaml');
  await writeFile(path, `${file}hooks: { teardown: 'echo done > torn-down' }\n`);
  const started = startAwc(['doctor', path]);
  await asked;
  const torn = () => readFile(join(folder, 'torn-down'), 'utf8');
  return { ...started, torn };
}

test('Ctrl-C is torn down: 130', async () => {
  const { child, ended, torn } = await hangingDoctor();
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, err: 'awc: interrupted.\n' });
  expect(await torn()).toBe('done\n');
});

test('a process that is killed is torn down all the same', async () => {
  const { child, ended, torn } = await hangingDoctor();
  child.kill('SIGKILL');
  await ended;
  await expect.poll(async () => torn().catch(() => ''), { timeout: 20_000 }).toBe('done\n');
});
