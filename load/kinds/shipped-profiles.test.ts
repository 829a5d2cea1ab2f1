import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import { loadProfile, parseProfile, shippedProfiles } from '../profile/profile-file.ts';
import type { Profile } from '../profile/profile.ts';
import { createReference } from '../../reference/reference.ts';
import { serve } from '../../reference/http/serve.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { openKind } from './open.ts';
import { plainOptions } from '../../testing/plain-options.ts';

/** A shipped profile whose load takes a fraction of its time. */
function shortened(name: string): Profile {
  const profile = loadProfile(name, {});
  const { schedule, plannedMs = 0 } = profile.load;
  if (schedule !== undefined && profile.load.kind === openKind.name) {
    const stages = schedule.stages.map((stage) => ({ ...stage, overMs: (stage.overMs * 300) / plannedMs }));
    return { ...profile, load: openKind.of({ ...schedule, stages }), warmUpMs: 100 };
  }
  const file = z
    .looseObject({ load: z.record(z.string(), z.looseObject({})) })
    .parse(parse(readFileSync(new URL(`../../profiles/${name}.yaml`, import.meta.url), 'utf8')));
  const [[kind, load] = ['', {}]] = Object.entries(file.load);
  if (file['duration'] === undefined && shorter[kind] === undefined)
    throw new Error(`add a shorter load of ${kind} to shorter in this file`);
  const duration = file['duration'] === undefined ? {} : { duration: '300ms' };
  const short = { ...file, ...duration, load: { [kind]: { ...load, ...shorter[kind] } }, warmUp: '100ms' };
  return parseProfile(stringify(short), `${name}.yaml`, {});
}

const shorter: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  capacity: { from: 20, to: 40, trial: '1s', repeats: 1 },
  rateLimit: { windows: 2, longestWindow: '5s' },
  contention: { writers: 4, storm: 20 },
  longPoll: { held: 20, wait: 1 },
  flow: { rate: 20, think: '10ms' },
};

async function run(profile: Profile, signal?: AbortSignal): Promise<LoadRecord> {
  const choices = { 'rate-quota': profile.load.effects.includes('rateLimit') ? '20-in-1s' : 'none' };
  const { deployment, target } = createReference({ clock: realClock, seed: 1, choices, latencyMs: [0, 0] });
  const server = await serve(deployment, { port: 0, host: '127.0.0.1' });
  try {
    const options = plainOptions({ ...target, baseUrl: server.url });
    const record = await profile.load.run(profile, signal === undefined ? options : { ...options, signal });
    return loadRecordSchema.parse(record);
  } finally {
    await server.close();
  }
}

test.concurrent.each(shippedProfiles())('%s accuses the reference of nothing', async (name) => {
  const record = await run(shortened(name));
  expect(record.violations).toEqual([]);
  expect(record.validation.checked).toBeGreaterThan(0);
  expect(record.facts.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
  // What a busy test machine cannot measure in so short a time stays without a verdict.
  expect(['held', 'unjudged'], record.sentence).toContain(record.result);
});

test.concurrent.each(shippedProfiles())('%s ends long before its time when its signal aborts', async (name) => {
  const profile = loadProfile(name, {});
  const { measuredMs } = await run(profile, AbortSignal.timeout(500));
  const { plannedMs = 60_000 } = profile.load;
  expect(measuredMs).toBeLessThan(plannedMs / 2);
});
