import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/try-awc.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { profileDigest } from './profile.ts';
import { loadProfile, parseProfile, shippedProfiles } from './profile-file.ts';

const minimal = 'question: Why?\nload:\n  open: { rate: 5 }\nduration: 2s\noperations:\n  listModels: { weight: 1 }\n';

function problemsOf(text: string, file = 'p.yaml'): string {
  try {
    parseProfile(text, file, {});
  } catch (error) {
    if (error instanceof TargetFileError) return error.message;
    throw error;
  }
  return '';
}

describe('shipped profiles', () => {
  test.each(shippedProfiles())('%s is one', (name) => {
    const profile = loadProfile(name, {});
    expect(profile.name).toBe(name);
    expect(profile.question).toMatch(/\?$/);
  });

  test('a name that is nearly one, and a path that is not there', () => {
    expect(() => loadProfile('stedy', {})).toThrow('did you mean steady?');
    expect(() => loadProfile('no/such.yaml', {})).toThrow('the shipped ones are baseline, capacity');
  });
});

describe('a profile that is right', () => {
  test('gets its defaults', () => {
    expect(parseProfile(minimal, 'x/mine.yaml', {})).toEqual({
      name: 'mine',
      question: 'Why?',
      load: expect.objectContaining({
        kind: 'open',
        settings: {
          arrivals: 'poisson',
          pacing: 'timer',
          sockets: 512,
          ratePerSecond: 5,
          stages: [{ ratePerSecond: 5, overMs: 2000 }],
        },
      }),
      warmUpMs: 0,
      timeoutMs: 10_000,
      mix: [{ operation: 'listModels', weight: 1, limits: [], pages: 3, filters: true }],
      thresholds: [],
      abort: [],
      validate: 1,
      rateLimitedIsError: false,
    });
  });

  test('may take a bound from the environment', () => {
    const text = `${minimal}thresholds: ['latency.p99 < \${BUDGET:-90ms}']\n`;
    expect(parseProfile(text, 'p.yaml', {}).thresholds[0]?.bound).toBe(90);
    expect(parseProfile(text, 'p.yaml', { BUDGET: '1s' }).thresholds[0]?.bound).toBe(1000);
  });

  test('says how much it sends', () => {
    const { load } = loadProfile('ramp', {});
    expect(load.peakPerSecond).toBe(100);
    expect(load.plannedMs).toBe(50_000);
    expect(loadProfile('baseline', {}).load.peakPerSecond).toBeUndefined();
  });
});

test.each([
  ['smoke', 'sha256:cff94962964f2e04ffe19705cf8271b75cc1c2115ca9abb62e36f0450f7aebd6'],
  ['baseline', 'sha256:1154299f12188c3b4b27a999f83a0eeb16410eead1eee6bde95d0f3b96339f41'],
  ['capacity', 'sha256:58b43cab27e7d2d7d17d2181349be355078b1b6af5a22fd6dae9cf9d6f1ce405'],
  ['rate-limit', 'sha256:1302d7c57685ac1e23466363e119f6f4bf613d058c964462b71d6339b2560933'],
  ['contention', 'sha256:b7b84c477a78009533e452ef8256e088513adb60b5416cceeaadaa33580e7da8'],
  ['long-poll', 'sha256:b2702f31c63525f546b9257649a29a9329922e6e6c2047420bf8c7b8d1dc2af8'],
])('the digest of %s never changes, because histories and baselines depend on it', (name, digest) => {
  expect(profileDigest(loadProfile(name, {}))).toBe(digest);
});

describe('a profile that is wrong', () => {
  test.each([
    ['', 'p.yaml:1:1: the file must be a map that begins with question and load'],
    [`${minimal}thresholdz: []\n`, 'p.yaml:7:1: thresholdz is not a field of a profile; did you mean thresholds?'],
    [minimal.replace('rate: 5', 'rate: -5'), 'p.yaml:3:17: load.open.rate must be a number of requests a second'],
    [
      minimal.replace('listModels: { weight: 1 }', 'listDataSources: { weight: 1, filters: false }'),
      'p.yaml:6:33: operations.listDataSources.filters is not a field of a profile',
    ],
    [
      minimal.replace('rate: 5', 'rat: 5'),
      'p.yaml:3:11: load.open.rat is not a field of a profile; did you mean rate?',
    ],
    [minimal.replace('2s', '2 fortnights'), 'p.yaml:4:11: duration must be a time from 100ms to 24h'],
    [minimal.replace('duration: 2s\n', ''), 'p.yaml:2:1: load needs a duration beside it'],
    [
      minimal.replace('rate: 5', 'rate: 5, stages: [{ rate: 9, over: 1s }]'),
      'p.yaml:4:1: duration has no meaning here',
    ],
    [
      minimal.replace('  open', '  closed: { connections: 2 }\n  open'),
      'p.yaml:4:3: load.open is a second kind of load',
    ],
    [minimal.replace('weight: 1', 'weight: 0'), 'p.yaml:6:3: operations has no operation with a weight over 0'],
    [
      `${minimal}thresholds: [getBillingAccount.latency.p95 < 1s]\n`,
      'p.yaml:7:14: thresholds[0] is about getBillingAccount, which this profile does not send',
    ],
    [
      `${minimal}  deleteDataSource: { weight: 1 }\n`,
      'p.yaml:7:3: operations.deleteDataSource uses up what it sends; it needs listDataSources beside it',
    ],
    [
      `${minimal}  attachOrganization: { weight: 1 }\n`.replace('open: { rate: 5 }', 'closed: { connections: 2 }'),
      'p.yaml:7:3: operations.attachOrganization uses up what it sends; only an open load can send it',
    ],
    [`${minimal}thresholds: [latency.p99 < 250]\n`, 'p.yaml:7:14: thresholds[0] must end with a time such as 250ms'],
    [
      `${minimal}abort: [sendMessage.latency.p99 > 2s]\n`,
      'p.yaml:7:9: abort[0] is about sendMessage, which this profile does not send',
    ],
    [`${minimal}abort: [latency.p99 > 2]\n`, 'p.yaml:7:9: abort[0] must end with a time such as 250ms'],
    [`${minimal}validate: 101%\n`, 'p.yaml:7:11: validate must be a share of the answers'],
    [`${minimal}validate: 100%\nvalidate: 1%\n`, 'p.yaml:8:1: this name appears twice in its map'],
  ])('%j', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  test.each(['throughput < 10/s', 'violations > 0', 'withheld.rate > 5%'])('%s ends no run early', (text) => {
    const wanted =
      'p.yaml:7:9: abort[0] must be about requests that ended: a share, such as "errors.rate > 50%", or a time';
    expect(problemsOf(`${minimal}abort: [${text}]\n`)).toContain(wanted);
  });

  test.each([
    ['- { name: flow, send: listModels }', ':7:17: load.flow.steps[0].name is a word with a meaning of its own'],
    ['- { name: latency, send: listModels }', ':7:17: load.flow.steps[0].name is a word with a meaning of its own'],
    ['- { name: a, send: deleteDataSource }', ':7:26: load.flow.steps[0].send must be one of listModels'],
    ['- { name: a, send: listModels, wait: 3 }', ':7:44: load.flow.steps[0].wait has no meaning for listModels'],
    [
      "- { name: a, send: sendMessage, message: '{b.id}' }",
      ':7:48: load.flow.steps[0].message refers to b, which is no earlier step',
    ],
    [
      "- { name: open, send: listModels }\n      - { name: ask, send: sendMessage, message: '{opn.id}' }",
      ':8:50: load.flow.steps[1].message refers to opn, which is no earlier step; did you mean open?',
    ],
    [
      "- { name: a, send: sendMessage, message: '{row.q}' }",
      ':7:48: load.flow.steps[0].message refers to the column q, but the flow has no data',
    ],
    [
      "- { name: a, send: sendMessage, message: '{b' }",
      ':7:48: load.flow.steps[0].message must be text; a brace must belong to a reference',
    ],
    ['- { name: a, send: listModels, think: 5s to 1s }', ':7:45: load.flow.steps[0].think must be a time or two'],
    [
      '- { name: a, send: listModels }\n    data: none.csv',
      'p.yaml:8:11: load.flow.data is none.csv: there is no such file beside the profile',
    ],
    [
      '- { name: a, send: listModels }\nthresholds: [a.latency.p96 < 1s]',
      ':8:14: thresholds[0] measures "a.latency.p96", which does not exist; did you mean a.latency.p90?',
    ],
  ])('a flow: %j', (steps, problem) => {
    const text = `question: Why?\nduration: 1s\nload:\n  flow:\n    rate: 1\n    steps:\n      ${steps}\n`;
    expect(problemsOf(text)).toContain(problem);
  });

  test.each([
    ['{row.perod}', 'refers to the column perod, which the data does not have; did you mean period?'],
    ['{row.zzzzzz}', 'refers to the column zzzzzz, which the data does not have; its columns are question, period'],
  ])('a column that the data does not have: %s', async (text, problem) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'rows.csv'), 'question,period\nWhy?,May\n');
    const profile = `question: Why?\nduration: 1s\nload:\n  flow:\n    rate: 1\n    data: rows.csv\n    steps:\n      - { name: a, send: sendMessage, message: '${text}' }\n`;
    expect(problemsOf(profile, join(folder, 'p.yaml'))).toBe(
      `${join(folder, 'p.yaml')}:8:48: load.flow.steps[0].message ${problem}`,
    );
  });

  test('a missing file does not hide what is wrong with the steps', () => {
    const steps = "- { name: a, send: sendMessage, message: '{row.q}' }\n      - { name: a, send: listModels }";
    const text = `question: Why?\nduration: 1s\nload:\n  flow:\n    rate: 1\n    data: none.csv\n    steps:\n      ${steps}\n`;
    expect(problemsOf(text).split('\n')).toEqual([
      'p.yaml:6:11: load.flow.data is none.csv: there is no such file beside the profile',
      'p.yaml:9:17: load.flow.steps[1].name is the name of an earlier step',
    ]);
  });

  test('everything is said at once', () => {
    expect(problemsOf('question: 3\nload: { open: { rate: x, pacing: fast } }\n').split('\n')).toHaveLength(3);
  });
});

test.each(shippedProfiles())('the shipped profile %s does not pass a fast wrong answer', (name) => {
  expect(loadProfile(name, {}).thresholds.map(({ text }) => text)).toContain('violations == 0');
});

test.each(shippedProfiles().filter((name) => name !== 'rate-limit'))(
  'the shipped profile %s does not pass a load that the rate limit refused',
  (name) => {
    expect(loadProfile(name, {}).thresholds.map(({ text }) => text)).toContain('rateLimited.rate < 1%');
  },
);
