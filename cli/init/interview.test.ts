import { expect, test } from 'vitest';
import { parseTarget } from '../../targets/target-file.ts';
import type { Given } from './init-options.ts';
import { type Ask, interview } from './interview.ts';
import type { Seen } from './seen.ts';
import { targetText } from './target-text.ts';

const seen: Seen = {
  organizations: [
    {
      id: 'org_main',
      by: 'alice',
      models: '3 models',
      sources: '2 data sources',
      sourceNames: ['ds_1 (\u001bWarehouse)'],
    },
  ],
  ownerOf: async (id) => (id === 'ba_1' ? 'org_owner' : undefined),
  close: () => {},
};

/** An interview in which each question is answered by the first pattern that fits it. */
async function held(given: Given, replies?: readonly (readonly [RegExp, ...string[]])[]) {
  const left = (replies ?? []).map(([pattern, ...texts]) => ({ pattern, texts }));
  const asked: string[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    const text = left.find(({ pattern, texts }) => pattern.test(question) && texts.length > 0)?.texts.shift();
    if (text === undefined) throw new Error(`unexpected question: ${question}`);
    return text;
  };
  const { answers } = await interview({ given, ask: replies && ask, show: () => {}, see: async () => seen });
  const text = targetText(answers, seen.organizations);
  const keys = Object.fromEntries(
    answers.principals.map(({ variable }, index) => [variable, `key ${index}`.replace(' ', '_')]),
  );
  return { answers, text, asked, target: parseTarget(text, 't.yaml', keys).target };
}

const flags: Given = {
  baseUrl: 'https://staging.example.com/base',
  principal: { alice: 'AWC_KEY_ALICE', bob: 'BOB' },
  adminOf: { alice: 'org_main, org_owner,org_new', bob: '' },
};

test('flags can answer everything; the rest has defaults', async () => {
  const { target } = await held(flags);
  expect(target).toMatchObject({
    name: 'staging.example.com',
    baseUrl: 'https://staging.example.com/base',
    principals: [
      { name: 'alice', variable: '$AWC_KEY_ALICE', adminOf: ['org_main', 'org_owner', 'org_new'] },
      { name: 'bob', variable: '$BOB', adminOf: [] },
    ],
    billingAccounts: [],
    allow: new Set(),
  });
});

test('the file holds the value of every flag, whatever characters it has', async () => {
  const given: Given = {
    ...flags,
    name: 'Größe: "x" # ${HOME}',
    chats: { org_main: 'chat 1,${x}, 0123,a\\,b' },
    disposable: { 'org: #2': 'ds_8' },
    billingAccount: { 'ba/1': 'org_owner' },
    attachable: { 'ba/1': 'org_new' },
    idempotencyHeader: 'X-Key',
    allow: 'deletions,messages',
  };
  const { target, text } = await held(given);
  expect(target).toMatchObject({
    name: 'Größe: "x" # ${HOME}',
    billingAccounts: [{ id: 'ba/1', owner: 'org_owner', attachable: ['org_new'] }],
    idempotencyHeader: 'x-key',
    allow: new Set(['messages', 'deletions']),
  });
  expect(target.organizations).toContainEqual({
    id: 'org_main',
    chats: ['chat 1', '${x}', '0123', 'a,b'],
    disposableDataSources: [],
  });
  expect(target.organizations).toContainEqual({ id: 'org: #2', chats: [], disposableDataSources: ['ds_8'] });
  expect(text).toContain('# 3 models, 2 data sources, seen by alice');
});

test.each<[string, Given, RegExp]>([
  ['no base URL', { ...flags, baseUrl: undefined }, /give it as --base-url\.$/],
  ['an invalid base URL', { ...flags, baseUrl: 'staging' }, /^--base-url: baseUrl is not a URL/],
  ['no principal', { ...flags, principal: undefined }, /give at least one as --principal NAME=VARIABLE/],
  ['no organizations', { ...flags, adminOf: { alice: 'org_main' } }, /give it as --admin-of bob=ID,ID\.$/],
  [
    'a key where its variable belongs',
    { ...flags, principal: { alice: 'sk_live_4eC39Hq' } },
    /^--principal: this is not the name of an environment variable/,
  ],
  [
    'an account without an owner',
    { ...flags, attachable: { ba_1: 'org_new' } },
    /give its owner as --billing-account ba_1=ORG/,
  ],
  [
    'an unknown side effect',
    { ...flags, allow: 'messages,everything' },
    /everything is not one of messages, deletions/,
  ],
])('without a terminal, %s is an error', async (_what, given, message) => {
  const error: unknown = await held(given).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) });
  expect(String(error)).not.toContain('sk_live');
});

test('the interview asks for everything that the flags leave open, until each answer is valid', async () => {
  const { target, asked } = await held({}, [
    [/^( .*\n)?Base URL/, '', 'nonsense', 'https://x.example.com'],
    [/Short name/, ''],
    [/Principal name/, 'alice'],
    [/Environment variable that holds the key of alice/, 'sk_live_4eC39Hq', ''],
    [/organizations that alice/, 'org_main'],
    [/Another principal/, 'bob', ''],
    [/Environment variable that holds the key of bob/, 'BOBS_KEY'],
    [/organizations that bob/, ''],
    [/Chats of org_main/, 'chat_1,chat_2'],
    [/Data sources of org_main/, 'ds_1'],
    [/Billing account ID/, 'ba_1', ''],
    [/Organization that owns ba_1 \[org_owner\]/, ''],
    [/may attach/, 'org_new'],
    [/Header/, ''],
    [/Allowed side effects/, 'all', 'messages'],
  ]);
  expect(target).toMatchObject({
    name: 'x.example.com',
    principals: [{ variable: '$AWC_KEY_ALICE' }, { variable: '$BOBS_KEY' }],
    billingAccounts: [{ id: 'ba_1', owner: 'org_owner', attachable: ['org_new'] }],
    allow: new Set(['messages']),
  });
  expect(asked.join('\n')).not.toContain('sk_live');
});

test('each answer is judged when it is given: what the target file could not hold is asked again', async () => {
  const { target, asked } = await held({}, [
    [/^( .*\n)?Base URL/, 'https://x.example.com'],
    [/Short name/, 'x'.repeat(201), 'X'],
    [/Principal name/, 'alice'],
    [/holds the key of/, '', '', ''],
    [/organizations that alice/, 'org_main'],
    [/Another principal/, 'alice', '__proto__', 'bob', ''],
    [/organizations that bob/, ''],
    [/Chats of org_main/, ''],
    [/Data sources of org_main/, ''],
    [/Billing account ID/, 'ba_1', 'ba_1', 'ba_2', ''],
    [/Organization that owns ba_1/, ''],
    [/Organization that owns ba_2/, 'org_owner'],
    [/may attach/, 'org_new', 'org_new', ''],
    [/Header/, 'Authorization', 'X-Key'],
    [/Allowed side effects/, ''],
  ]);
  expect(target).toMatchObject({
    name: 'X',
    principals: [{ name: 'alice' }, { name: 'bob' }],
    idempotencyHeader: 'x-key',
  });
  const hints = asked.flatMap((question) => /^  (.*)\n/.exec(question)?.slice(1) ?? []);
  expect(hints).toEqual([
    expect.stringMatching(/^name must be a name of at most 200 characters/),
    expect.stringMatching(/^this name appears twice/),
    expect.stringContaining('__proto__'),
    expect.stringMatching(/^this name appears twice/),
    expect.stringMatching(/is also listed under ba_1/),
    expect.stringMatching(/has another purpose; name the header for the key/),
  ]);
});

test('the interview does not ask what a flag answers', async () => {
  const { asked } = await held(
    { ...flags, chats: { org_main: 'c' }, billingAccount: {}, name: 'N', idempotencyHeader: '' },
    [
      [/Data sources of/, '', '', ''],
      [/Allowed side effects/, ''],
    ],
  );
  expect(asked).toHaveLength(4);
});
