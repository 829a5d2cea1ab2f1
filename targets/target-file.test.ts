import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadTarget, parseTarget, targetOf } from './target-file.ts';
import { TargetFileError } from './target-file-error.ts';

const environment = { AWC_KEY_ALICE: 'sk-alice-secret', AWC_KEY_BOB: 'sk-bob-secret', EMPTY: '' };
const minimal = 'name: T\nbaseUrl: https://t.example\nprincipals:\n  alice: { key: k1 }\n';

/** What is wrong with a text, without the name of the file. */
function problemsOf(text: string): string {
  try {
    parseTarget(text, 'target.yaml', environment);
  } catch (error) {
    if (!(error instanceof TargetFileError)) throw error;
    expect(error.message).not.toContain('secret');
    expect(error.message).toMatch(/^[^\p{Cc}]*(\n[^\p{Cc}]*)*$/u);
    return error.message.replaceAll('target.yaml:', '');
  }
  return 'no problem';
}

describe('a target file that is right', () => {
  test('the example', () => {
    const { target, notes, raw } = loadTarget(join(import.meta.dirname, 'example.yaml'), { AWC_KEY_ALICE: 'k-alice' });
    expect(target).toEqual({
      name: 'Staging',
      baseUrl: 'https://staging.example.com',
      principals: [
        { name: 'alice', key: 'k-alice', variable: '$AWC_KEY_ALICE', adminOf: ['org_main', 'org_owner', 'org_new'] },
      ],
      organizations: [
        { id: 'org_main', chats: ['chat_1', 'chat_2', 'chat_3'], disposableDataSources: ['ds_8', 'ds_9'] },
        { id: 'org_owner', chats: [], disposableDataSources: [] },
        { id: 'org_new', chats: [], disposableDataSources: [] },
        { id: 'org_other', chats: ['chat_9'], disposableDataSources: [] },
      ],
      billingAccounts: [{ id: 'ba_1', owner: 'org_owner', attachable: ['org_new'] }],
      idempotencyHeader: 'idempotency-key',
      assistant: {
        quickPrompt: 'Reply with ok.',
        slowPrompt: 'Describe every model of this organization in depth.',
        timeoutSeconds: 120,
      },
      limits: { maxRequestsPerSecond: 20, toleranceMs: 750, rateProbeRequests: 2000 },
      allow: new Set(['messages', 'deletions', 'attachments']),
    });
    expect(notes).toEqual([
      'Principal bob is left out because $AWC_KEY_BOB is empty. Checks that need it are blocked.',
    ]);
    expect(raw.limits).toEqual({ maxRequestsPerSecond: 20, toleranceMs: 750, rateProbeRequests: 2000 });
  });

  test('the least: everything else has its default', () => {
    const { target, notes } = parseTarget(minimal, 'target.yaml', {});
    expect(target).toEqual({
      name: 'T',
      baseUrl: 'https://t.example',
      principals: [{ name: 'alice', key: 'k1', variable: '$AWC_KEY_ALICE', isWritten: true, adminOf: [] }],
      organizations: [],
      billingAccounts: [],
      assistant: {
        quickPrompt: 'Reply with ok.',
        slowPrompt: 'Describe every model of this organization in depth.',
        timeoutSeconds: 120,
      },
      limits: { maxRequestsPerSecond: 50, toleranceMs: 750, rateProbeRequests: 2000 },
      allow: new Set(),
    });
    expect(notes).toEqual([]);
  });

  test.each([
    ['http://127.0.0.1:8080', Infinity],
    ['http://127.8.9.1/base', Infinity],
    ['http://localhost:1', Infinity],
    ['https://[::1]:8080', Infinity],
    ['http://127.0.0.1.example.com', 50],
    ['http://localhost.example.com', 50],
    ['http://10.0.0.1', 50],
  ])('at %s at most %d requests a second', (baseUrl, rate) => {
    const text = minimal.replace('https://t.example', baseUrl);
    expect(parseTarget(text, 'target.yaml', {}).target.limits.maxRequestsPerSecond).toBe(rate);
  });

  test('what stands for a key is its variable, or one made from the name', () => {
    const text = `${minimal}  Ál-ice: { key: "\${AWC_KEY_BOB:-x}" }\n  al.ice: { key: 'x\${EMPTY}' }\n  ALICE: { key: k3 }\n`;
    const { principals } = parseTarget(text, 'target.yaml', environment).target;
    expect(principals.map(({ variable }) => variable)).toEqual([
      '$AWC_KEY_ALICE',
      '$AWC_KEY_BOB',
      '$AWC_KEY_AL_ICE',
      '$AWC_KEY_ALICE_2',
    ]);
  });

  test('organizations come in the order in which the text names them, IDs in any syntax', () => {
    const text = `billingAccounts: { ba: { owner: "9", attachable: [a/b] } }\norganizations: { 010: {}, constructor: {}, "9": {} }\n${minimal.replace('k1', 'k1, adminOf: ["2", a/b]')}`;
    const { organizations } = parseTarget(text, 'target.yaml', {}).target;
    expect(organizations.map(({ id }) => id)).toEqual(['9', 'a/b', '010', 'constructor', '2']);
    expect(organizations[3]).toEqual({ id: 'constructor', chats: [], disposableDataSources: [] });
  });

  test('JSON, and aliases in moderation', () => {
    expect(problemsOf('{"name":"T","baseUrl":"http://t","principals":{"a":{"key":"k"}}}')).toBe('no problem');
    const text = `${minimal}  b: { key: k2, adminOf: &all [o1] }\n  c: { key: k3, adminOf: *all }\n`;
    expect(parseTarget(text, 'target.yaml', {}).target.principals[2]?.adminOf).toEqual(['o1']);
  });
});

describe('a target file that is wrong', () => {
  const principals = (count: number, key: (at: number) => string) =>
    minimal + Array.from({ length: count }, (_, at) => `  p${at}: { key: ${key(at)} }\n`).join('');

  test.each([
    ['many principals', principals(2000, (at) => `key${at}`), 'principals has more than 2000 entries; leave some out'],
    [
      'many long keys',
      principals(33, (at) => `${at}${'k'.repeat(4090)}`),
      'principals has keys of more than 131072 characters',
    ],
    ['many names', principals(60_000, () => 'k'), 'the file has more than 50000 names and values; shorten it'],
  ])('%s are refused', (_what, text, message) => {
    expect(problemsOf(text)).toContain(message);
  });

  test.each([
    [`${minimal}  __proto__: { key: k2 }\n`, '__proto__ cannot be used as a name; choose another', '5:3'],
    [`${minimal}organizations: { __proto__: {} }\n`, '__proto__ cannot be used as a name', '5:18'],
    [`${minimal}  alice: { key: k2 }\n`, 'this name appears twice in its map; remove one', '5:3'],
    [`${minimal}  "ali\\x63e": { key: k2 }\n`, 'this name appears twice in its map; remove one', '5:3'],
    ['', 'the file must be a map that begins with name and baseUrl', '1:1'],
    ['- name: T', 'the file must be a map', '1:1'],
    ['name: T\nbaseUrl: http://t\n', 'principals is missing; it must map names to keys', '1:1'],
    [`${minimal}baseURL: x\n`, 'baseURL is not a field of a target file; did you mean baseUrl?', '5:1'],
    [`${minimal}colour: x\n`, 'colour is not a field of a target file; known fields: name, baseUrl, ', '5:1'],
    [
      `${minimal}organizations: { o: { chat: [] } }\n`,
      'organizations.o.chat is not a field of a target file; did you mean chats?',
      '5:23',
    ],
    [
      `${minimal}organizations:\n  o: { chats: [c1, 17] }\n`,
      'organizations.o.chats[1] must be an ID as text; put a number in quotes',
      '6:20',
    ],
    [`${minimal}organizations: { o: { chats: }}\n`, 'organizations.o.chats must be a list of IDs of chats', '5:23'],
    [`${minimal}limits: { toleranceMs: 0 }\n`, 'limits.toleranceMs must be a number of milliseconds over 0', '5:24'],
    [`${minimal}limits: { rateProbeRequests: 1.5 }\n`, 'limits.rateProbeRequests must be a whole number', '5:30'],
    [
      `${minimal}limits: { maxRequestsPerSecond: .inf }\n`,
      'limits.maxRequestsPerSecond must be a number over 0',
      '5:33',
    ],
    [
      `${minimal}assistant: { timeoutSeconds: 100000 }\n`,
      'assistant.timeoutSeconds must be a number of seconds',
      '5:30',
    ],
    [`${minimal}allow: [messages, everything]\n`, 'allow[1] must be one of messages, deletions', '5:19'],
    [`${minimal}  bob: { key: k1 }\n`, 'principals.bob.key is also the key of alice', '5:15'],
    [
      `${minimal}  bob: { key: Bearer sk-secret }\n`,
      'principals.bob.key contains a space, a line break or a control character',
      '5:15',
    ],
    [`${minimal}  bob: { key: "sk-secret\\u0007" }\n`, 'principals.bob.key contains a space', '5:15'],
    [`${minimal}  bob: { key: sk-secret-你 }\n`, 'principals.bob.key cannot be sent in a header', '5:15'],
    [`${minimal}  bob: sk-secret\n`, 'principals.bob must hold a key', '5:8'],
    [`${minimal}  "b\\u001bb": { key: k2 }\n`, 'principals."b b" is not a valid name', '5:3'],
    [`${minimal}  bob: { key: "\${UNSET}" }\n`, 'the environment variable UNSET is not set', '5:15'],
    [`${minimal}name: again\n`, 'this name appears twice in its map', '5:1'],
    [`${minimal}limits:\n\ttoleranceMs: 5\n`, 'this line is indented with a tab', '6:1'],
    [`${minimal}---\nname: T\n`, 'a second YAML document begins here', '5:1'],
    [`${minimal}limits: *nowhere\n`, 'this alias has no anchor', '5:9'],
    [`${minimal}limits: !!js/function sk-secret\n`, 'tags with "!" are not supported', '5:9'],
    [`${minimal}choices: { idempotencyHeader: "Idempotency Key" }\n`, 'is not a header name', '5:31'],
    [`${minimal}choices: { idempotencyHeader: Authorization }\n`, 'which has another purpose', '5:31'],
    [
      `${minimal}organizations: { o: { disposableDataSources: [d1, d2, d1] } }\n`,
      'disposableDataSources[2] (d1) appears twice in the list',
      '5:55',
    ],
    [
      `${minimal}billingAccounts: { a: { owner: o1, attachable: [o1] } }\n`,
      "attachable[0] is the account's owner",
      '5:49',
    ],
    [
      `${minimal}billingAccounts: { a: { owner: o1, attachable: [o2] }, b: { owner: o1, attachable: [o2] } }\n`,
      'billingAccounts.b.attachable[0] is also listed under a',
      '5:85',
    ],
    [minimal.replace('k1', '""'), 'no principal has a key', '3:1'],
    [minimal.replace(' { key: k1 }', ' {}'), 'principals.alice.key is missing; it must be the API key', '4:3'],
    ['name: T\nbaseUrl: http://t\nprincipals: {}\n', 'principals is empty; name at least one', '3:13'],
  ])('%j: %s', (text, message, position) => {
    const problems = problemsOf(text);
    expect(problems).toContain(message);
    expect(problems.split('\n')).toHaveLength(1);
    expect(problems.startsWith(`${position}: `)).toBe(true);
  });

  test.each([
    ['t.example.com', 'is not a URL'],
    ['//t.example.com', 'is not a URL'],
    ['"http://t.example .com"', 'is not a URL'],
    ['"http://t.example\\n"', 'is not a URL'],
    ['ftp://t.example', 'is not an HTTP URL'],
    ['http://user:sk-secret@t.example', 'contains a user name or password'],
    ['http://t.example/?', 'contains a query or a fragment'],
    ['http://t.example/#x', 'contains a query or a fragment'],
  ])('baseUrl %s %s', (baseUrl, message) => {
    expect(problemsOf(minimal.replace('https://t.example', baseUrl))).toContain(message);
  });

  test('everything that is wrong is said at once, in the order of the lines', () => {
    const text = 'nam: T\nbaseUrl: 5\nprincipals:\n  a: { key: "${UNSET}" }\n  b: { key: "${UNSET_2}" }\nlimits: []\n';
    expect(
      problemsOf(text)
        .split('\n')
        .map((line) => line.split(' ').slice(0, 3).join(' ')),
    ).toEqual([
      '1:1: name is',
      '1:1: nam is',
      '2:10: baseUrl must',
      '4:13: the environment',
      '5:13: the environment',
      '6:9: limits must',
    ]);
  });

  test('bombs: aliases of aliases, deep nesting, a circle', () => {
    const bomb = Array.from({ length: 9 }, (_, n) => `b${n}: &b${n} [${`*b${n - 1},`.repeat(9)}]`).join('\n');
    expect(problemsOf(bomb.replaceAll('*b-1', 'x'))).toContain('too many aliases');
    expect(problemsOf('['.repeat(50_000))).toMatch(/nested too deeply/);
    expect(problemsOf(`${minimal}limits: &a { b: *a }\n`)).not.toBe('no problem');
  });
});

describe('a file that cannot be read', () => {
  function fileOf(bytes: string | Uint8Array): string {
    const folder = mkdtempSync(join(tmpdir(), 'awc-target-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 't.yaml'), bytes);
    return join(folder, 't.yaml');
  }

  test.each([
    ['is not there', () => '/nowhere/target.yaml', 'there is no such file'],
    ['is a folder', () => tmpdir(), 'this is a folder'],
    ['is huge', () => fileOf('#'.repeat(1024 * 1024 + 1)), 'over 1 MiB'],
    ['is not UTF-8', () => fileOf(new Uint8Array([0xff, 0xfe, 0x6e, 0])), 'not UTF-8'],
  ])('%s', (_what, path, message) => {
    const file = path();
    expect(() => loadTarget(file, {})).toThrow(`${file}: `);
    expect(() => loadTarget(file, {})).toThrow(message);
  });
});

test('data with the name __proto__, which the schema leaves out, is refused', () => {
  const text =
    '{"name":"T","baseUrl":"https://t.example","principals":{"a":{"key":"k"}},"organizations":{"__proto__":{}}}';
  expect(() => targetOf(JSON.parse(text))).toThrow('__proto__ cannot be used as a name; choose another');
});
