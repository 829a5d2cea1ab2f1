import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { awc, startAwc, temporaryFolder } from '../testing/try-awc.ts';

describe('wrong usage exits with 2 and one helpful sentence', () => {
  test.each([
    [['run', '--stict'], /unknown option '--stict'\n\(Did you mean --strict\?\)/],
    [['run', '--target', 'a.yaml'], /unknown option '--target'\n\(The target file is an argument: awc run FILE\)\n/],
    [['rum'], /unknown command 'rum'\n\(Did you mean run\?\)/],
    [['rum', '--help'], /unknown command 'rum'\n\(Did you mean run\?\)/],
    [['--help', 'rum'], /unknown command 'rum'/],
    [['help', 'rum'], /unknown command 'rum'\n\(Did you mean run\?\)/],
    [['registry', 'help', 'chek'], /unknown command 'chek'/],
    [['profile', 'chek', '--help'], /unknown command 'chek'\n\(Did you mean check\?\)/],
    [[], /Usage: awc/],
    [
      ['run', '--budget', '10'],
      /'--budget <time>' argument '10' is invalid\. It must be a duration such as 90s, 10m or 1h/,
    ],
    [['run', '--seed', 'x'], /'--seed <n>' argument 'x' is invalid\. It must be a whole number/],
    [
      ['run', '--bail', 'a.yaml'],
      /from 1 to 10000\. If it is the target file, write --bail=1 a\.yaml, or a\.yaml --bail\./,
    ],
    [
      ['load', '--live', 'a.yaml'],
      /from 0 to 65535\. If it is the target file, write --live=0 a\.yaml, or a\.yaml --live\./,
    ],
    [['run', '--bail', '0'], /It must be a whole number from 1 to 10000\.\n/],
    [['run', '--choice', 'x'], /It must be KEY=VALUE/],
    [['run', 'a.yaml', 'b.yaml'], /too many arguments/],
    [['run', '--only', 'pagin.limit'], /^awc: no check matches --only pagin\.limit\. The nearest: paging\.limit/],
    [['run', '--only', 'paging.limit', '--only', 'pagin.*'], /^awc: no check matches --only pagin\.\*\./],
    [['run', '--fault', 'no-such-fault'], /^awc: There is no fault "no-such-fault"\. The nearest: /],
    [['run', '--choice', 'ids=x'], /^awc: The choice "ids" has no value "x"\. Its values: /],
    [['run', 'target.yaml', '--fault', 'x'], /^awc: --fault and --choice change the embedded reference/],
    [['run', 'missing.yaml'], /^awc: missing\.yaml: there is no such file/],
    [['doctor', 'missing.yaml'], /^awc: missing\.yaml: there is no such file/],
    [['explain', 'paging.lim'], /^awc: there is no requirement "paging\.lim"\. The nearest: paging\.limit,/],
    [['replay', 'missing.json', 'x'], /^awc: missing\.json does not exist or is not JSON/],
    [['report', 'missing.json', '--format', 'html'], /^awc: missing\.json does not exist or is not JSON/],
    [['report', 'missing.json'], /required option '--format <format>' not specified/],
    [['report', 'missing.json', '--format', 'pdf'], /Allowed choices are html, markdown, github/],
    [['report', 'missing.json', '--format', 'har', '--target', 'x'], /^awc: --target needs --format github/],
    [['diff', 'missing.json', 'missing.json'], /^awc: missing\.json does not exist or is not JSON/],
    [['serve', '--port', '70000'], /whole number from 0 to 65535/],
    [['serve', '--fault', 'no-such-fault'], /^awc: There is no fault/],
    [['list', '--faults', '--choices'], /cannot be used with option/],
    [['list', '--choices', '--json'], /cannot be used with option/],
  ])('%j', async (args, message) => {
    const { code, out, err } = await awc(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

test('help shows a default as one would write it', async () => {
  const { out } = await awc('load', 'gather', '--help');
  expect(out).toContain('(default: 127.0.0.1:0)');
  expect(out).toContain('(default: 10m)');
});

test('help leaves out what the description of an option says already', async () => {
  const { out } = await awc('run', '--help');
  expect(out).not.toContain('(preset:');
  expect(out).toContain('after the first');
});

test('awc list names every fault and every choice with its values', async () => {
  const faults = (await awc('list', '--faults')).out;
  expect(faults).toMatch(/^paging\.limit\n(?: {2}.*\n)* {2}later-pages-short: /m);
  expect(faults).toMatch(/\n\d+ faults\. awc run --fault NAME/);
  const choices = (await awc('list', '--choices')).out;
  expect(choices).toMatch(/^limit-out-of-range: .*\n {2}\S+ \(default\), .*clamp/m);
});

test('an invalid target file exits with 2 and shows file, line and column', async () => {
  const path = join(await temporaryFolder(), 'target.yaml');
  await writeFile(path, 'name: X\nbaseUrl: http://127.0.0.1:1\nprincipal:\n  alice: { key: k }\n');
  const { code, err } = await awc('run', path);
  expect(code).toBe(2);
  expect(err).toContain(`${path}:3:1: `);
});

test('a folder that cannot be written exits with 2 before anything is sent', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const { code, out, err } = await awc('run', '--out', join(file, 'out'));
  expect([code, out, err]).toEqual([2, '', `awc: ${join(file, 'out')} cannot be written (ENOTDIR).\n`]);
});

test('a port in use exits with 2', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, err } = await awc('serve', '--port', String(port));
  expect([code, err]).toEqual([
    2,
    `awc: cannot listen on 127.0.0.1 port ${port} (EADDRINUSE). Use --port 0 to pick a free port.\n`,
  ]);
});

test('help, version, the catalogue and OpenAPI go to stdout and exit with 0', async () => {
  const help = await awc('--help');
  expect([help.code, help.err]).toEqual([0, '']);
  expect(help.out).toMatch(/run .*\n[^]*serve[^]*doctor[^]*list[^]*explain[^]*replay[^]*report[^]*diff[^]*openapi/);
  expect((await awc('help', 'run')).out).toContain('--allow-incomplete');
  expect((await awc('load', 'missing.yaml', '--help')).out).toContain('--profile');
  expect((await awc('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await awc('list')).out).toMatch(/^ {2}paging\.limit +must +4\.1 +A page holds/m);
  expect(JSON.parse((await awc('list', '--json')).out)).toContainEqual(expect.objectContaining({ id: 'paging.limit' }));
  const onlyInRuns = (await awc('list', '--not-in-traffic')).out;
  expect(onlyInRuns).toMatch(/^ {2}rate\.honest .*[^]*^\d+ requirements: \d+ must, \d+ should\.\n$/m);
  expect(onlyInRuns).not.toMatch(/paging\.limit |auth\.key-life/);
  expect(JSON.parse((await awc('openapi')).out)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  expect((await awc('explain', 'paging.limit/listModels')).out).toMatch(/^paging\.limit {2}must, section 4\.1\n/);
  expect((await awc('explain', 'paging.limit')).out).toContain('awc check-traffic judges it too.');
  expect((await awc('explain', 'rate.honest')).out).not.toContain('check-traffic');
});

test('a reader that stops early causes no error', async () => {
  const { child, ended } = startAwc(['list', '--json']);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, err: '' });
});

test('an older Node version shows one sentence', async () => {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}})`;
  const { code, out, err } = await startAwc(['list'], { env: { NODE_OPTIONS: `--import ${older}` } }).ended;
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(
    /^awc needs Node 22\.19 or later, and this is v\S+ In a checkout, npm run awc brings its own\.\n$/,
  );
});
