import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHooks } from './read-hooks.ts';
import { parseTarget } from '../target-file.ts';

const setup = 'hooks: { setup: ./setup.sh }\n';
const whole = 'name: N\nbaseUrl: http://127.0.0.1:1\nprincipals: { a: { key: key_of_a } }\n';

function hooksOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 't.yaml');
  writeFileSync(path, text);
  return { folder, path, hooks: () => readHooks(path, { HOME: '/home' }) };
}

test('hooks are run in the folder of the file and get its path', () => {
  const { folder, path, hooks } = hooksOf(whole + setup);
  const environment = { HOME: '/home', AWC_TARGET: path };
  expect(hooks()).toEqual({ setup: './setup.sh', folder, environment, keys: ['key_of_a'] });
});

test.each([
  ['without hooks', whole],
  ['whose name, address and keys come from the setup', setup],
  ['whose only key comes from the setup', `principals: { a: { key: '\${NO_KEY:-}' } }\nname: N\n${setup}`],
])('a file %s is fine', (_what, text) => {
  expect(hooksOf(text).hooks().keys.length).toBeLessThan(2);
});

test.each([
  [
    'a name that is missing, and no setup',
    'baseUrl: http://x.test\nprincipals: { a: { key: k } }\n',
    /name is missing/,
  ],
  ['a field that there is not', `colour: red\n${setup}`, /t\.yaml:1:1: colour is not a field/],
  ['a variable that is not set', `principals: { a: { key: '\${NO_KEY}' } }\n${setup}`, /NO_KEY is not set/],
  ['what makes no sense', `${whole.replace('http:', 'ftp:')}${setup}`, /baseUrl is not an HTTP URL/],
])('no setup is run for %s', (_what, text, problem) => {
  expect(hooksOf(text).hooks).toThrow(problem);
});

const withSetup = whole + setup;

test('what setup printed is merged over the file', () => {
  const patch = {
    baseUrl: 'http://127.0.0.1:2',
    principals: { a: { adminOf: ['org_1'] }, b: { key: 'key_of_b' } },
    organizations: { org_1: { chats: ['c'] } },
  };
  const { target } = parseTarget(withSetup, 't.yaml', {}, patch);
  expect(target).toMatchObject({
    name: 'N',
    baseUrl: 'http://127.0.0.1:2',
    principals: [
      { name: 'a', key: 'key_of_a', adminOf: ['org_1'] },
      { name: 'b', key: 'key_of_b', variable: '$AWC_KEY_B' },
    ],
    organizations: [{ id: 'org_1', chats: ['c'] }],
  });
});

test('a key that setup replaced is no longer that of a variable', () => {
  const text = whole.replace('key_of_a', "'${A_KEY}'") + setup;
  const { target } = parseTarget(text, 't.yaml', { A_KEY: 'x' }, { principals: { a: { key: 'y' } } });
  expect(target.principals).toMatchObject([{ key: 'y', variable: '$AWC_KEY_A' }]);
});

test.each<[string, unknown, RegExp]>([
  ['an unknown field', { colour: 1 }, /^t\.yaml:4:17: hooks\.setup printed an invalid value: colour is not a field/],
  ['a wrong value', { principals: { a: { adminOf: 1 } } }, /^t\.yaml:4:17: .*: principals\.a\.adminOf must be a list/],
  ['a field taken away', { name: null }, /^t\.yaml:4:17: hooks\.setup printed .*: name is missing/],
  ['no map', [1], /^t\.yaml:4:17: hooks\.setup printed hooks or not an object/],
  ['hooks', { hooks: { teardown: 'true' } }, /^t\.yaml:4:17: hooks\.setup printed hooks/],
  [
    'a name that objects do not keep',
    JSON.parse('{"principals":{"__proto__":{"key":"k"}}}'),
    /^t\.yaml:4:17: hooks\.setup printed the name __proto__/,
  ],
  ['a bad address', { baseUrl: 'x' }, /^t\.yaml:4:17: hooks\.setup printed .*: baseUrl is not a URL/],
])('%s that setup printed is an error', (_what, patch, problem, more = '') => {
  expect(() => parseTarget(withSetup + more, 't.yaml', {}, patch)).toThrow(problem);
});

test('a mistake of the file itself keeps its place', () => {
  const text = `${withSetup}colour: red\n`;
  expect(() => parseTarget(text, 't.yaml', {}, { name: 'M' })).toThrow(/^t\.yaml:5:1: colour is not a field/);
});
