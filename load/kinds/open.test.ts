import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { renderLoadTerminal } from '../../reports/load/load-terminal.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { decodeHistogram } from '../measure/histogram.ts';
import { mergeRecords } from '../judge/merge.ts';
import type { LoadOptions } from '../profile/profile.ts';
import { openKind } from './open.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const key = 'key-of-alice-which-nobody-may-see';

function targetAt(baseUrl: string): Target {
  return {
    name: 'Test',
    baseUrl,
    principals: [{ name: 'alice', key, variable: '$AWC_KEY_ALICE', adminOf: ['org', 'owner'] }],
    organizations: [{ id: 'org', chats: [], disposableDataSources: [] }],
    billingAccounts: [{ id: 'ba', owner: 'owner', attachable: [] }],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 100 },
    allow: new Set(['load']),
  };
}

function profileOf(load: string, rest = '') {
  const text = `question: Why?\nload: ${load}\nduration: 400ms\noperations:\n  getBillingAccount: { weight: 1 }\n${rest}`;
  return parseProfile(text, 'test.yaml', {});
}

function run(
  baseUrl: string,
  profile: ReturnType<typeof profileOf>,
  over: Partial<LoadOptions> = {},
): Promise<LoadRecord> {
  return profile.load.run(profile, { ...plainOptions(targetAt(baseUrl)), seed: 7, ...over });
}

function countOf(record: LoadRecord, outcome: string): number {
  return record.operations.flatMap(({ outcomes }) => outcomes).find((found) => found.outcome === outcome)?.count ?? 0;
}

/** For runs that are about something else: starting the thread that judges takes its time. */
const unchecked = 'validate: 0%\n';

const right = { data: { id: 'ba' } };

test.concurrent.each(['{ open: { rate: 200 } }', '{ closed: { connections: 3 } }'])(
  '%s ends in a whole record',
  async (load) => {
    await using server = await tinyServer((_message, reply) => json(reply, 200, right));
    const record = await run(server.url, profileOf(load, 'thresholds: [violations == 0, errors.rate == 0%]\n'));
    expect(loadRecordSchema.parse(record)).toEqual(record);
    expect(record.thresholds.find(({ text }) => text === 'violations == 0')?.verdict).toBe('held');
    expect(record.validation.checked).toBe(server.paths.length);
    expect(record.validation.repeated).toBe(server.paths.length - 1);
    expect(countOf(record, '200')).toBe(server.paths.length);
    expect(record.slices.reduce((sum, { due }) => sum + due, 0)).toBe(server.paths.length);
    expect(record.sentence).toContain(
      `zero violations in ${server.paths.length.toLocaleString('en')} answers checked.`,
    );
    const screen = renderLoadTerminal(record, { color: false });
    expect(screen.trimEnd().split('\n').at(-1)).toBe(record.sentence);
  },
);

test.concurrent.each(['{ open: { rate: 100 } }', '{ closed: { connections: 2 } }'])(
  '%s: answers of the warm-up are in no figure',
  async (load) => {
    await using server = await tinyServer((_message, reply, ordinal) => json(reply, 200, ordinal === 1 ? {} : right));
    const profile = profileOf(load, 'warmUp: 300ms\nthresholds: [violations == 0]\n');
    const record = await run(server.url, profile);
    const { validation, warmUp, sentence, notes, thresholds } = record;
    expect(validation.checked).toBe(countOf(record, '200'));
    expect(validation.warmUp).toEqual({ checked: warmUp, broken: 1 });
    expect(thresholds).toMatchObject([{ actual: 0, verdict: 'held' }]);
    expect(sentence).toMatch(/zero violations in [\d,]+ answers checked after the warm-up\.$/);
    expect(notes.join()).toContain(
      `In the warm-up, which does not count, 1 of ${warmUp.toLocaleString('en')} answers violate billing.record`,
    );
  },
);

test.concurrent('a queue that the server works off after the end of a load is no throughput', async () => {
  const inTime = 10;
  await using server = await tinyServer((_message, reply, ordinal) => {
    if (ordinal <= inTime) json(reply, 200, right);
    else setTimeout(() => json(reply, 200, right), 600);
  });
  const record = await run(
    server.url,
    profileOf('{ open: { rate: 100 } }', `${unchecked}thresholds: [throughput > 30/s]\n`),
  );
  expect(countOf(record, '200')).toBe(server.paths.length);
  expect(server.paths.length).toBeGreaterThan(2 * inTime);
  expect(record.measuredMs).toBe(400);
  expect(record.throughputPerSecond).toBeLessThanOrEqual(inTime / 0.4);
  // On a busy machine, the generator may be the reason, which leaves no verdict.
  expect(['missed', 'unjudged']).toContain(record.thresholds[0]?.verdict);
  expect(record.slices.reduce((sum, { arrived = 0 }) => sum + arrived, 0)).toBe(record.operations[0]?.arrived);
});

test.concurrent('a fast wrong answer is no pass, and its proof shows no key and obeys no terminal', async () => {
  await using server = await tinyServer((message, reply) => {
    json(reply, 200, { data: { id: 'other', echo: message.headers.authorization, escape: '\u001b[31m' } });
  });
  const record = await run(server.url, profileOf('{ open: { rate: 100 } }', 'thresholds: [violations == 0]\n'));
  expect(record.result).toBe('missed');
  expect(record.violations).toMatchObject([
    { rule: 'billing.record', operation: 'getBillingAccount', count: server.paths.length },
  ]);
  expect(record.violations[0]?.proofs.length).toBeLessThanOrEqual(3);
  expect(JSON.stringify(record)).not.toContain(key);
  expect(JSON.stringify(record)).toContain('$AWC_KEY_ALICE');
  expect(renderLoadTerminal(record, { color: false })).not.toContain('\u001b');
});

test.concurrent('the record names what was used up, and how often a chat was written to', async () => {
  await using server = await tinyServer((message, reply) => {
    const { method, url = '' } = message;
    if (method === 'GET')
      json(reply, 200, { data: [{ id: 'ds_1' }], pagination: { hasMore: false, nextCursor: null } });
    else json(reply, url.includes('billing') ? 503 : 200, { data: {} });
  });
  const own: Target = {
    ...targetAt(server.url),
    organizations: [{ id: 'org', chats: ['chat'], disposableDataSources: ['ds_1', 'ds_2'] }],
    billingAccounts: [{ id: 'ba', owner: 'owner', attachable: ['org'] }],
  };
  const mix = [
    'operations:',
    '  listDataSources: { weight: 1 }',
    '  sendMessage: { weight: 1 }',
    '  attachOrganization: { weight: 1 }',
    '  deleteDataSource: { weight: 1 }',
  ];
  const profile = parseProfile(
    `question: Why?\nload: { open: { rate: 100 } }\nduration: 400ms\n${unchecked}${mix.join('\n')}\n`,
    'test.yaml',
    {},
  );
  const record = await run(server.url, profile, { target: own });
  const sent = countOf(
    { ...record, operations: record.operations.filter((one) => one.operation === 'sendMessage') },
    '200',
  );
  expect(sent).toBeGreaterThan(1);
  expect(record.usedUp).toEqual({
    deletions: [{ organizationId: 'org', dataSourceId: 'ds_1', certain: true }],
    attachments: [{ billingAccountId: 'ba', organizationId: 'org', certain: false }],
    messages: [{ organizationId: 'org', chatId: 'chat', count: sent }],
  });
  expect(renderLoadTerminal(record, { color: false })).toContain('\nUsed up\n  deleted data sources: ds_1 of org\n');
});

test.concurrent('ends early when a condition of the profile comes true', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 500, { error: { title: 'x', detail: 'y' } }));
  const profile = profileOf('{ open: { rate: 100 } }', `abort: ['errors.rate > 50%']\n${unchecked}`);
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('not open');
  const load = openKind.of({ ...schedule, stages: [{ ratePerSecond: 100, overMs: 60_000 }] });
  const record = await run(server.url, { ...profile, load });
  expect(record.result).toBe('aborted');
  expect(record.sentence).toContain('Ended early, because errors.rate > 50%');
});

test.concurrent('reports what was measured when it is interrupted', async () => {
  const controller = new AbortController();
  await using server = await tinyServer((_message, reply, ordinal) => {
    if (ordinal < 5) json(reply, 200, right);
    else setTimeout(() => controller.abort(), 50); // the answers before it have arrived by then
  });
  const profile = profileOf('{ open: { rate: 100 } }', unchecked);
  const record = await run(server.url, profile, { signal: controller.signal });
  expect(record.result).toBe('interrupted');
  expect(record.unfinished).toBeGreaterThan(0);
  expect(countOf(record, '200')).toBe(4);
});

test.concurrent('the limits of the target file hold a closed load back', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, right));
  const target = { ...targetAt(server.url), limits: { ...targetAt('').limits, maxRequestsPerSecond: 50 } };
  const record = await run(
    server.url,
    profileOf('{ closed: { connections: 5 } }', `thresholds: [throughput > 1000/s]\n${unchecked}`),
    { target },
  );
  expect(server.paths.length).toBeLessThan(30);
  expect(record.thresholds[0]).toMatchObject({ verdict: 'unjudged' });
  expect(record.sentence).toMatch(
    /^No verdict, limits\.maxRequestsPerSecond held the load back: held to 50\/s by limits\.maxRequestsPerSecond, [\d.]+ req\/s from 5 connections/,
  );
  expect(record.generator.verdict).toBe('held-back');
  expect(record.generator.reasons.join()).toMatch(/made the connections wait \d+% of the time: raise it/);
});

test.concurrent('a limit that a closed load does not reach holds nothing back', async () => {
  await using server = await tinyServer((_message, reply) => void setTimeout(() => json(reply, 200, right), 100));
  const target = { ...targetAt(server.url), limits: { ...targetAt('').limits, maxRequestsPerSecond: 1000 } };
  const profile = profileOf('{ closed: { connections: 2 } }', `thresholds: [throughput > 1000/s]\n${unchecked}`);
  const record = await run(server.url, profile, { target });
  expect(record.generator.reasons.join()).not.toContain('maxRequestsPerSecond');
  expect(record.sentence).not.toContain('held to');
});

test.concurrent('the shards of a run merge into what one would have been', async () => {
  await using server = await tinyServer((_message, reply, ordinal) =>
    json(reply, ordinal % 5 === 0 ? 429 : 200, right),
  );
  const profile = profileOf('{ open: { rate: 250 } }', `thresholds: [rateLimited.rate > 10%]\n${unchecked}`);
  const whole = await run(server.url, profile);
  const startAt = Date.now() + 300;
  const parts = await Promise.all(
    [1, 2, 3].map((index) => run(server.url, profile, { shard: { index, of: 3 }, startAt })),
  );
  const merged = mergeRecords(parts);
  if (merged.kind === 'refused') throw new Error(merged.reason);
  const { record } = merged;
  expect(loadRecordSchema.parse(record)).toEqual(record);
  const sent = (of: LoadRecord) => of.operations.reduce((sum, operation) => sum + operation.sent, 0);
  expect(sent(record)).toBe(sent(whole));
  expect(record.slices.map(({ due }) => due)).toEqual(whole.slices.map(({ due }) => due));
  expect(record.thresholds[0]?.verdict).not.toBe('missed');
  const histograms = record.operations.flatMap(({ outcomes }) =>
    outcomes.map(({ latency }) => decodeHistogram(latency.hdr)),
  );
  expect(histograms.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(sent(whole));
});

test.concurrent('shards that ran one after the other are no load of that rate', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, right));
  const profile = profileOf('{ open: { rate: 50 } }', unchecked);
  const one = await run(server.url, profile, { shard: { index: 1, of: 2 } });
  const late = new Date(Date.parse(one.startedAt) + 3000).toISOString();
  const merged = mergeRecords([one, { ...one, shards: { of: 2, indexes: [2] }, startedAt: late }]);
  expect(merged).toMatchObject({ kind: 'merged', record: { result: 'unjudged' } });
  expect(merged).toMatchObject({
    record: {
      generator: { reasons: expect.arrayContaining([expect.stringMatching(/^the parts started 3\.0 s apart/)]) },
    },
  });
});

test.concurrent('what is no part of one run is not merged', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, right));
  const profile = profileOf('{ open: { rate: 50 } }', unchecked);
  const one = await run(server.url, profile, { shard: { index: 1, of: 2 } });
  const refused = (...records: readonly LoadRecord[]) => {
    const merged = mergeRecords(records);
    return merged.kind === 'refused' ? merged.reason : '';
  };
  const two = { ...one, shards: { of: 2, indexes: [2] } };
  expect(refused(one)).toBe('part 2 of 2: no record.');
  expect(refused(one, one, two)).toBe('one part is given twice.');
  expect(refused(one, { ...two, seed: 8 })).toContain('seeds differ');
  expect(refused(one, { ...two, profile: { ...two.profile, digest: 'x' } })).toContain('profiles differ');
  expect(refused()).toContain('nothing to merge');
  expect(refused(one, two)).toBe('');
});
