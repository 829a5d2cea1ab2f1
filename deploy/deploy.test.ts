import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { configure as configureLoad } from '../cli/commands/load.ts';
import { servedReference, temporaryFolder, writtenTarget } from '../testing/try-awc.ts';
import type { Deployment } from '../core/http.ts';
import { arrivals } from '../load/schedule/arrivals.ts';
import { loadProfile } from '../load/profile/profile-file.ts';
import { type LoadRecord, loadRecordSchema } from '../reports/load/load-record.ts';

const home = fileURLToPath(new URL('..', import.meta.url));
const seed = 7;

const containerSchema = z.object({
  image: z.string(),
  command: z.tuple([z.literal('sh'), z.literal('-c'), z.string()]),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});

const jobSchema = z.object({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    completionMode: z.string().optional(),
    completions: z.int().optional(),
    parallelism: z.int().optional(),
    backoffLimit: z.int().optional(),
    backoffLimitPerIndex: z.int().optional(),
    template: z.object({
      spec: z.object({
        restartPolicy: z.string(),
        containers: z.array(containerSchema).length(1),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

async function manifest(name: string): Promise<unknown> {
  return parse(await readFile(join(home, 'deploy', name), 'utf8'));
}

async function job(name: 'load.yaml' | 'merge.yaml') {
  const { spec } = jobSchema.parse(await manifest(name));
  const { containers, volumes, restartPolicy } = spec.template.spec;
  const container = containerSchema.parse(containers[0]);
  return { spec, volumes, restartPolicy, container, script: container.command[2] };
}

describe('the manifests', () => {
  test.each(['load.yaml', 'merge.yaml'] as const)('%s is tried once, and mounts what it declares', async (name) => {
    const { spec, volumes, restartPolicy, container } = await job(name);
    expect([restartPolicy, spec.backoffLimitPerIndex ?? spec.backoffLimit]).toEqual(['Never', 0]);
    expect(container.volumeMounts.map((mount) => mount.name)).toEqual(volumes.map((volume) => volume.name));
  });

  test('the parts are numbered, and as many run at once as there are', async () => {
    const { spec } = await job('load.yaml');
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: spec.parallelism });
  });

  test.each(['load.yaml', 'merge.yaml'] as const)('%s reads only variables that it is given', async (name) => {
    const { container, script } = await job(name);
    const readme = await readFile(join(home, 'deploy', 'README.md'), 'utf8');
    const fromRun = [...readme.matchAll(/--from-literal=(AWC_[A-Z_]+)=/g)].map(([, variable]) => variable);
    const given = [...container.env.map((variable) => variable.name), ...fromRun];
    const read = [...script.matchAll(/\b(AWC_[A-Z_]+)\b/g)].map(([, variable]) => variable);
    expect(read.length).toBeGreaterThan(0);
    expect(given).toEqual(expect.arrayContaining(read));
    expect(container.envFrom.flatMap((source) => Object.keys(source))).toContain('configMapRef');
  });

  test('name options that the command has', async () => {
    const command = new Command('load');
    configureLoad(command, { env: {}, out: process.stdout, data: process.stdout, err: process.stderr, end: () => {} });
    const known = command.options.map(({ long }) => long);
    for (const name of ['load.yaml', 'merge.yaml'] as const) {
      const { script } = await job(name);
      expect(known).toEqual(expect.arrayContaining(script.match(/--[a-z-]+/g) ?? []));
    }
  });

  test('the volume can be written to from several machines', async () => {
    const { spec } = z
      .object({ spec: z.object({ accessModes: z.array(z.string()) }) })
      .parse(await manifest('results.yaml'));
    expect(spec.accessModes).toEqual(['ReadWriteMany']);
  });
});

/** Folders as the pods would have them, with a served reference as target. */
async function cluster(duration: string, wrap: (reference: Deployment) => Deployment = (reference) => reference) {
  const folder = await temporaryFolder();
  const target = await writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' }, wrap }));
  await writeFile(join(folder, 'target.yaml'), await readFile(target, 'utf8'));
  const profile = join(folder, 'profile.yaml');
  await writeFile(
    profile,
    `question: Why?\nload: { open: { rate: 60 } }\nduration: ${duration}\noperations: { listModels: { weight: 1, limits: [5] } }\n`,
  );
  const env = {
    AWC_HOME: home,
    AWC_FILES: folder,
    AWC_RESULTS: join(folder, 'results'),
    AWC_RUN: 'run',
    AWC_SHARDS: '2',
    AWC_SEED: String(seed),
  };
  return { env, profile, results: join(folder, 'results', 'run') };
}

/** Runs a script as the container would. */
function pod(script: string, env: Readonly<Record<string, string>>) {
  const child = spawn('sh', ['-c', script], { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, code: once(child, 'exit').then(([code]) => z.int().nullable().parse(code)) };
}

async function recordIn(folder: string): Promise<LoadRecord> {
  return loadRecordSchema.parse(JSON.parse(await readFile(join(folder, 'load.json'), 'utf8')));
}

function sentIn({ operations }: LoadRecord): number {
  return operations.reduce((sum, { sent }) => sum + sent, 0);
}

test('the parts, run as written, merge into every request of the one schedule', async () => {
  const { env, profile, results } = await cluster('500ms');
  const { script } = await job('load.yaml');
  const startAt = String(Date.now() / 1000 + 2.5);
  const parts = ['0', '1'].map((index) => pod(script, { ...env, JOB_COMPLETION_INDEX: index, AWC_START_AT: startAt }));
  expect(await Promise.all(parts.map(({ code }) => code))).toEqual([0, 0]);
  const merge = pod((await job('merge.yaml')).script, env);
  expect([0, 4]).toContain(await merge.code); // a busy machine may have held a part up, which is no verdict
  const whole = await recordIn(join(results, 'whole'));
  const { schedule } = loadProfile(profile, {}).load;
  if (schedule === undefined) throw new Error('the profile is not of an open load');
  expect(whole.shards).toEqual({ of: 2, indexes: [1, 2] });
  expect(sentIn(whole)).toBe([...arrivals(schedule, seed)].length);
});

test('a part that the cluster ends leaves what it had measured, and has failed', async () => {
  const { promise: isUnderWay, resolve } = Promise.withResolvers<void>();
  let met = 0;
  const { env, results } = await cluster('60s', (reference) => (request) => {
    if (request.path.includes('limit=5')) met += 1;
    if (met === 20) resolve();
    return reference(request);
  });
  const { script } = await job('load.yaml');
  const part = pod(script, { ...env, JOB_COMPLETION_INDEX: '0', AWC_START_AT: '0' });
  await isUnderWay;
  part.child.kill('SIGTERM');
  expect(await part.code).toBe(130);
  const record = await recordIn(join(results, 'part-1'));
  expect(record.result).toBe('interrupted');
  expect(sentIn(record)).toBeGreaterThan(0);
});
