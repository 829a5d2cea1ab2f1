import { expect, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import type { Target } from '../../core/target.ts';
import { parseProfile } from '../profile/profile-file.ts';
import { createReference } from '../../reference/reference.ts';
import { serve } from '../../reference/http/serve.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const quota = 30;
const shortWindowMs = 600;

const profile = parseProfile(
  'question: What?\nload: { rateLimit: { connections: 4, windows: 3, longestWindow: 5s } }\nvalidate: 0%\n',
  'rate-limit.yaml',
  {},
);

function targetAt(baseUrl: string): Target {
  return {
    name: 'Test',
    baseUrl,
    principals: [
      { name: 'alice', key: 'ka', variable: '$A', adminOf: ['org'] },
      { name: 'bob', key: 'kb', variable: '$B', adminOf: [] },
    ],
    organizations: [{ id: 'org', chats: [], disposableDataSources: [] }],
    billingAccounts: [],
    assistant: { quickPrompt: 'quick', slowPrompt: 'slow', timeoutSeconds: 120 },
    limits: { maxRequestsPerSecond: Infinity, toleranceMs: 750, rateProbeRequests: 2000 },
    allow: new Set(['load', 'rateLimit']),
  };
}

/** A target with a fixed window for each key, which says that of what is left of it. */
async function limitedServer(says: (ms: number) => number, windowMs = shortWindowMs) {
  const windows = new Map<string, { startedAt: number; used: number }>();
  return tinyServer((message, reply) => {
    const key = message.headers.authorization ?? '';
    const now = performance.now();
    const last = windows.get(key);
    const window = last === undefined || now >= last.startedAt + windowMs ? { startedAt: now, used: 0 } : last;
    windows.set(key, window);
    window.used += 1;
    if (window.used <= quota) json(reply, 200, { data: [], pagination: { nextCursor: null, hasMore: false } });
    else {
      const retryAfterMs = says(window.startedAt + windowMs - now);
      json(reply, 429, { error: { title: 'RateLimitExceeded', detail: 'x', retryAfterMs } });
    }
  });
}

async function run(url: string, target = targetAt(url)): Promise<LoadRecord> {
  const record = await profile.load.run(profile, plainOptions({ ...target, baseUrl: url }));
  return loadRecordSchema.parse(record);
}

function factOf({ facts }: LoadRecord, name: string) {
  return facts.find((fact) => fact.name === name);
}

// On a machine that is busy with other things a burst may reach into the next window, and take in two quotas.
test.concurrent('an honest limit is measured over HTTP without an accusation', { retry: 2 }, async () => {
  await using server = await limitedServer((ms) => Math.ceil(ms));
  const record = await run(server.url);
  // A window may end within a burst, where a busy machine draws it out: that one then has fewer.
  expect(factOf(record, 'quota')?.value).toMatch(
    new RegExp(`^(${quota} requests|\\d+ requests \\(\\d+ to ${quota}\\))`),
  );
  expect(factOf(record, 'shared between principals')?.value).toContain('no: bob');
  expect(record.facts.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
  expect(record.result).not.toBe('missed');
});

const lies: readonly (readonly [string, (ms: number) => number, RegExp])[] = [
  ['seconds', (ms) => Math.ceil(ms / 1000), /^in seconds, not in milliseconds$/],
  ['a constant', () => shortWindowMs, /^always 600, whatever is left of the window$/],
  ['half', (ms) => Math.ceil(ms / 2), /^0\.[45]\d times the actual wait$/],
  ['a fifth more', (ms) => Math.ceil(ms * 1.2), /^1\.[12]\d times the actual wait$/],
];

// On a machine that is busy with other things the way there takes so long that a small lie cannot be seen in a short window.
test.concurrent('lies are distinguished over HTTP', { retry: 2 }, async ({ task }) => {
  const windowMs = shortWindowMs * (1 + 2 * (task.result?.retryCount ?? 0));
  const found = lies.map(async ([name, says, wanted]) => {
    await using server = await limitedServer(says, windowMs);
    const record = await run(server.url);
    const fact = factOf(record, 'retryAfterMs');
    expect([name, fact]).toEqual([
      name,
      {
        name: 'retryAfterMs',
        value: expect.stringMatching(wanted),
        verdict: 'bad',
        figure: { text: 'wrong', unit: '' },
      },
    ]);
    expect(record.result).toBe('missed');
  });
  await Promise.all(found);
});

/** A reference that is limited to 20 requests in a second, and what comes of writes that it refuses. */
async function refusedWrites(faults: readonly string[]) {
  const choices = { 'rate-quota': '20-in-1s' };
  const { deployment, target } = createReference({ clock: realClock, seed: 1, faults, choices, latencyMs: [0, 0] });
  const agents = new Set<string | undefined>();
  const seen: Deployment = (request) => {
    agents.add(request.headers['user-agent']);
    return deployment(request);
  };
  const server = await serve(seen, { port: 0, host: '127.0.0.1' });
  try {
    const { facts, result } = await run(server.url, target);
    const verdicts = facts.filter(({ name }) => name === 'refused writes').map(({ verdict }) => verdict);
    return { verdicts, result, agents: [...agents] };
  } finally {
    await server.close();
  }
}

test.concurrent('refused writes that act are distinguished from those that do not', async () => {
  const [idle, act] = await Promise.all([refusedWrites([]), refusedWrites(['limited-requests-act'])]);
  expect(idle.verdicts).toEqual(['good', 'good']);
  expect(idle.result).not.toBe('missed');
  expect(act).toEqual({ verdicts: ['bad', 'bad'], result: 'missed', agents: ['analytics-workspace-conformance'] });
});

test.concurrent('a target without a limit is said to show none', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, {}));
  const record = await run(server.url);
  expect(factOf(record, 'rate limit')).toMatchObject({ verdict: 'unclear' });
  // This process also serves and tests: if that keeps it busy, the sentence must say so, and only then.
  const doubt = record.generator.verdict === 'fit' ? '' : ', the generator was the bottleneck';
  expect(record.sentence).toBe(
    `No verdict${doubt}: no limit was reached in ${server.paths.length} requests, zero violations in 0 answers checked.`,
  );
  expect(record.result).toBe('unjudged');
  expect(server.paths.length).toBeLessThanOrEqual(2000);
});
