import core from '@artilleryio/int-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import { serve } from '../../reference/http/serve.ts';
import { createReference } from '../../reference/reference.ts';
import { loadProfile, shippedProfiles } from '../profile/profile-file.ts';
import { exportScript } from './export-script.ts';

const { deployment, target } = createReference({
  clock: realClock,
  seed: 1,
  choices: { 'rate-quota': 'none' },
  latencyMs: [0, 0],
});
const server = await serve(deployment, { port: 0, host: '127.0.0.1' });

beforeAll(() => {
  for (const { key, variable } of target.principals) vi.stubEnv(variable.slice(1), key);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const scripts = shippedProfiles().flatMap((name) => {
  const exported = exportScript('artillery', loadProfile(name, {}), { ...target, baseUrl: server.url });
  return 'script' in exported ? [[name, exported.script] as const] : [];
});

const scriptSchema = z.looseObject({
  config: z.looseObject({}),
  scenarios: z.array(z.looseObject({ name: z.string() })),
});

/** Runs a script for one second at 30 requests a second, and counts what happened. */
async function runScript(text: string) {
  const { config, scenarios } = scriptSchema.parse(parse(text));
  const phases = [{ duration: 1, arrivalRate: 30 }];
  const run = await core.runner.runner({ config: { ...config, phases }, scenarios });
  const ended = new Promise<Readonly<Record<string, number>>>((resolve) =>
    run.on('done', ({ counters }) => resolve(counters)),
  );
  run.run();
  return { counters: await ended, operations: new Set(scenarios.map(({ name }) => name)) };
}

test('Artillery takes the open profiles that are shipped', () => {
  expect(scripts.map(([name]) => name)).toEqual(['ramp', 'smoke', 'soak', 'spike', 'steady']);
});

test.concurrent.each(scripts)(
  'Artillery runs the export of %s, and the reference serves every request',
  async (_, text) => {
    const { counters, operations } = await runScript(text);
    expect(counters).toMatchObject({
      'http.requests': 30,
      'http.responses': 30,
      'vusers.completed': 30,
      'vusers.failed': 0,
    });
    const codes = Object.keys(counters).filter((name) => /^(http\.codes|errors)\./.test(name));
    expect(
      codes.filter(
        (name) => name !== 'http.codes.200' && !(operations.has('sendMessage') && name === 'http.codes.409'),
      ),
    ).toEqual([]);
    expect(counters['http.codes.200']).toBeGreaterThan(20);
  },
);
