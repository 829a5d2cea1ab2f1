import { expect, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { createReference } from '../../reference/reference.ts';
import { serve } from '../../reference/http/serve.ts';
import { loadRecordSchema } from '../../reports/load/load-record.ts';
import { plainOptions } from '../../testing/plain-options.ts';
import { loadProfile } from '../profile/profile-file.ts';
import { capacityKind } from './capacity.ts';

const forgetsAbove = 120;
const windowMs = 500;

/** Takes every repeated request for a new one while there are more requests than that in a second. */
function forgetful(deployment: Deployment, keyHeader: string): Deployment {
  let recent: number[] = [];
  let sent = 0;
  return (request) => {
    const now = performance.now();
    recent = [...recent.filter((at) => at > now - windowMs), now];
    sent += 1;
    const isOver = recent.length > (forgetsAbove * windowMs) / 1000;
    const isKeyed = request.headers[keyHeader] !== undefined;
    return deployment(
      isOver && isKeyed ? { ...request, headers: { ...request.headers, [keyHeader]: `${sent}` } } : request,
    );
  };
}

type Trial = {
  readonly choices?: Readonly<Record<string, string>>;
  readonly isForgetful?: boolean;
  readonly faults?: readonly string[];
  /** A search that deletes waits for half a minute after each deletion. */
  readonly deletes?: boolean;
};

async function search({ choices = {}, isForgetful = false, faults = [], deletes = false }: Trial) {
  const all = createReference({ clock: realClock, seed: 1, choices, faults, latencyMs: [0, 0] });
  const allow = new Set([...all.target.allow].filter((effect) => deletes || effect !== 'deletions'));
  const target = { ...all.target, allow };
  const { idempotencyHeader: keyHeader = '' } = target;
  const served = isForgetful ? forgetful(all.deployment, keyHeader) : all.deployment;
  const server = await serve(served, { port: 0, host: '127.0.0.1' });
  const load = capacityKind.of({
    fromPerSecond: 30,
    // Only what breaks at a rate needs a higher one.
    toPerSecond: isForgetful ? 2 * forgetsAbove : forgetsAbove / 2,
    // A violation at a rate needs no long trial, but a rate is correct only if all requirements were judged.
    trialMs: isForgetful ? 4000 : 2000,
    repeats: 1,
    precision: 0.3,
    sockets: 64,
    correct: true,
  });
  try {
    const shipped = loadProfile('correct-capacity', {});
    const mix = shipped.mix.map((entry) => (entry.operation === 'deleteDataSource' ? { ...entry, most: 1 } : entry));
    const profile = { ...shipped, load, mix, warmUpMs: 100, thresholds: [] };
    const record = await profile.load.run(profile, plainOptions({ ...target, baseUrl: server.url }));
    return loadRecordSchema.parse(record);
  } finally {
    await server.close();
  }
}

// These wait for half a minute, so they begin first.
test.concurrent('names the deletion that was forgotten, where the target file allows deletions', async () => {
  const { capacity, sentence } = await search({ faults: ['deletion-forgotten'], deletes: true });
  expect(capacity?.broke?.requirement, sentence).toBe('delete.gone-or-marked');
  expect(capacity?.broke?.proof.exchanges.length).toBeGreaterThan(1);
});

test.concurrent('accuses no deletion that works, and deletes nothing that the target file does not allow', async () => {
  const [allowed, forbidden] = await Promise.all([search({ deletes: true }), search({})]);
  const factOf = ({ facts }: typeof allowed) => facts.find(({ name }) => name === 'delete.gone-or-marked');
  expect(factOf(allowed)).toMatchObject({ verdict: 'good', value: expect.stringMatching(/^kept in \d/) });
  expect(factOf(forbidden)).toBeUndefined();
  expect(allowed.capacity?.broke, allowed.sentence).toBeUndefined();
});

test.concurrent('finds at the lowest rate that busy chats take messages, although no trial outlasts a response', async () => {
  const { capacity, result, sentence } = await search({
    choices: { 'rate-quota': 'none' },
    faults: ['busy-chat-accepts'],
  });
  expect(capacity?.broke?.requirement, sentence).toBe('conflict.refused');
  expect(capacity?.result, sentence).toMatchObject({ kind: 'below', ratePerSecond: 30 });
  expect(result).toBe('missed');
});

test.concurrent('gives no verdict if a requirement that the trials exercise was never judged', async () => {
  const { capacity, result, sentence } = await search({
    choices: { 'rate-quota': 'none', assistant: 'always-40-s' },
  });
  expect(capacity?.result).toEqual({ kind: 'unjudged' });
  expect(capacity?.unjudged?.map(({ requirement }) => requirement)).toContain('idempotency.after');
  expect(sentence).toMatch(
    /^No verdict: no trial showed that [a-z., -]*idempotency\.after[a-z., -]* kept; .* Use longer trials\./,
  );
  expect(result).toBe('unjudged');
});

test.concurrent.each<Readonly<Record<string, string>>>([
  {},
  { 'replay-form': 'original' },
  { 'rate-quota': '20-in-1s' },
  { assistant: 'always-300-ms' },
  { assistant: 'moody' },
  { gateway: 'hiccups-on-messages' },
  { gateway: 'errors-inside-on-messages' },
])('accuses no legal deployment: %o', async (choices) => {
  const { capacity, facts, sentence } = await search({ choices: { 'rate-quota': 'none', ...choices } });
  expect(capacity?.broke, sentence).toBeUndefined();
  expect(facts.filter(({ verdict }) => verdict === 'good').length).toBeGreaterThan(0);
});

// Stalls make bursts, and the deployment would forget keys in them. So nothing runs beside this search.
test('finds the rate at which keys are forgotten, with the proof', async () => {
  const { capacity, sentence } = await search({
    choices: { 'rate-quota': 'none', assistant: 'always-1-s' },
    isForgetful: true,
  });
  const { broke } = capacity ?? {};
  expect(broke?.requirement, sentence).toMatch(/^idempotency\./);
  expect(broke?.proof.exchanges).toHaveLength(2);
  expect(broke?.ratePerSecond).toBeGreaterThan(forgetsAbove / 2);
  expect(broke?.ratePerSecond).toBeLessThan(forgetsAbove * 2);
  expect(sentence).toMatch(/^Correct up to [\d.]+\/s: above it, idempotency\.[a-z-]+ breaks \(first at /);
});
