import { expect, test } from 'vitest';
import { realClock } from '../../core/clock.ts';
import { loadProfile } from '../profile/profile-file.ts';
import type { Load, Profile } from '../profile/profile.ts';
import { shippedProfiles } from '../profile/shipped.ts';
import { createReference } from '../../reference/reference.ts';
import { serve } from '../../reference/http/serve.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { plainOptions } from './plain-options.ts';
import { runProfile } from './run-profile.ts';

const shortMs = 300;

/** The same load in a fraction of its time. */
function shortened(load: Load): Load {
  switch (load.kind) {
    case 'open': {
      const plannedMs = load.stages.reduce((sum, { overMs }) => sum + overMs, 0);
      const stages = load.stages.map(({ ratePerSecond, overMs }) => ({
        ratePerSecond,
        overMs: (overMs * shortMs) / plannedMs,
      }));
      return { ...load, stages };
    }
    case 'closed':
      return { ...load, durationMs: shortMs };
    case 'capacity':
      return { ...load, fromPerSecond: 20, toPerSecond: 40, trialMs: shortMs, repeats: 1 };
    case 'rateLimit':
      return { ...load, windows: 2, longestWindowMs: 5000 };
    case 'contention':
      return { ...load, writers: 4, storm: 20, durationMs: shortMs };
    case 'longPoll':
      return { ...load, held: 20, waitSeconds: 1, durationMs: shortMs };
  }
}

async function run(profile: Profile): Promise<LoadRecord> {
  const choices = { 'rate-quota': profile.load.kind === 'rateLimit' ? '20-in-1s' : 'none' };
  const { deployment, target } = createReference({ clock: realClock, seed: 1, choices, latencyMs: [0, 0] });
  const server = await serve(deployment, { port: 0, host: '127.0.0.1' });
  try {
    const record = await runProfile(profile, plainOptions({ ...target, baseUrl: server.url }));
    return loadRecordSchema.parse(record);
  } finally {
    await server.close();
  }
}

test.concurrent.each(shippedProfiles)('%s accuses the reference of nothing', async (name) => {
  const profile = loadProfile(name, {});
  const record = await run({ ...profile, load: shortened(profile.load), warmUpMs: 100 });
  expect(record.violations).toEqual([]);
  expect(record.validation.checked).toBeGreaterThan(0);
  expect(record.facts.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
  // What a busy test machine cannot measure in so short a time stays without a verdict.
  expect(['held', 'unjudged'], record.sentence).toContain(record.result);
});
