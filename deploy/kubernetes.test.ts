import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Deployment } from '../core/http.ts';
import { loadRecordSchema } from '../reports/load/load-record.ts';
import { serveCluster } from '../testing/cluster/serve-cluster.ts';
import { noticeRequests } from '../testing/notice-requests.ts';
import { awcWith, type Ended, servedReference, startAwc, temporaryFolder } from '../testing/try-awc.ts';
import { start as startProgram } from '../field/finish.ts';
import { targetFile } from '../reference/target-file.ts';

const kubectl = pathOf('kubectl');
const needsKubectl = 'needs kubectl: .ci/run installs it from Debian';

function pathOf(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const profile = (duration: string) => `question: Why?
load: { open: { rate: 40 } }
duration: ${duration}
operations: { listModels: { weight: 1, limits: [5] } }
thresholds: [violations == 0]
`;

async function recordIn(folder: string) {
  return loadRecordSchema.parse(JSON.parse(await readFile(join(folder, 'load.json'), 'utf8')));
}

type Setting = {
  readonly duration?: string;
  readonly faults?: readonly string[];
  readonly forbidden?: readonly string[];
  readonly wrap?: (reference: Deployment) => Deployment;
};

/** A cluster, a served reference, and the folder of a user who has the keys in the environment. */
async function stage({ duration = '1s', faults = [], forbidden = [], wrap }: Setting = {}) {
  const cluster = await serveCluster({ images: ['awc:1'], forbidden });
  onTestFinished(cluster.close);
  const served = await servedReference({ choices: { 'rate-quota': 'none' }, faults, ...(wrap && { wrap }) });
  const folder = await temporaryFolder();
  const named = served.principals.map((principal) => ({
    ...principal,
    key: `\${KEY_${principal.name.toUpperCase()}}`,
  }));
  const keys = served.principals.map(({ name, key }) => [`KEY_${name.toUpperCase()}`, key] as const);
  await writeFile(join(folder, 'target.yaml'), targetFile({ ...served, principals: named }));
  await writeFile(join(folder, 'short.yaml'), profile(duration));
  await writeFile(join(folder, 'kubeconfig'), cluster.kubeconfig);
  await writeFile(join(folder, 'kubectl'), `#!/bin/sh\necho "$@" >> ${folder}/arguments\nexec ${kubectl} "$@"\n`);
  await chmod(join(folder, 'kubectl'), 0o755);
  const PATH = `${folder}:${process.env['PATH']}`;
  const env = { ...Object.fromEntries(keys), KUBECONFIG: join(folder, 'kubeconfig'), HOME: folder, PATH };

  const command = ['load', join(folder, 'target.yaml'), '--profile', join(folder, 'short.yaml')];
  const args = [...command, '--kubernetes', '--context', 'stand-in', '--image', 'awc:1'];

  /** Its output, and the arguments of kubectl, have no key. */
  async function withoutKeys(ended: Promise<Ended>): Promise<Ended> {
    const result = await ended;
    const shown = result.out + result.err + (await readFile(join(folder, 'arguments'), 'utf8'));
    for (const [, key] of keys) expect(shown).not.toContain(key);
    return result;
  }

  /** Starts a load in the cluster. */
  function start(...options: readonly string[]) {
    const started = startAwc([...args, ...options], { env });
    return { ...started, ended: withoutKeys(started.ended) };
  }

  /** The same in this process, which saves starting one. */
  const load = (...options: readonly string[]) => withoutKeys(awcWith(env, ...args, ...options));
  return { cluster, load, start, args, env, folder };
}

describe.skipIf(kubectl === undefined)(`a load in a cluster (${needsKubectl})`, () => {
  test('ends with the verdict of all parts, also beside another one, and leaves nothing but the record behind', async () => {
    const { cluster, load, folder } = await stage({ faults: ['has-more-text'] });
    const runs = [7, 8].map(async (seed) => {
      const of = seed === 7 ? 2 : 1;
      const into = join(folder, `out-${seed}`);
      const { code, out, err } = await load('--seed', `${seed}`, '--shards', `${of}`, '--out', into);
      expect(code, out + err).toBe(1);
      expect(out).toContain('✗ violations == 0');
      expect(await recordIn(into)).toMatchObject({ seed, result: 'missed', shards: { of } });
    });
    await Promise.all(runs);
    expect(cluster.store.names()).toEqual([]);
  });

  test('the printed objects run by hand, as their comments say', async () => {
    const { cluster, args, folder, env } = await stage({ faults: ['has-more-text'] });
    const printed = await awcWith(env, ...args, '--print');
    await writeFile(join(folder, 'run.yaml'), printed.out);
    const script = printed.out.matchAll(/^# {3}(.+)$/gm).map(([, line = '']) => line);
    const local = [...script]
      .join('\n')
      .replaceAll('kubectl ', 'kubectl --context stand-in ')
      .replaceAll(' create -f', ' create --validate=false -f'); // the stand-in has no schemas
    const { code, out, err } = await startProgram('bash', ['--norc', '-e', '-c', local], { cwd: folder, env }).finished;
    expect(code, out + err).toBe(0);
    expect(out).toContain('✗ violations == 0');
    expect(out).toMatch(/^1(job|secret|service|configmap|networkpolicy)\b.* deleted$/m);
    expect(await recordIn(folder)).toMatchObject({ result: 'missed', shards: { of: 2 } });
    expect(cluster.store.names()).toEqual([]);
  });

  test('an image that cannot be pulled ends it with the reason', async () => {
    const { cluster, load } = await stage();
    const { code, out, err } = await load('--image', 'awc:2');
    expect(code, out + err).toBe(4);
    expect(out).toMatch(/^No verdict: the coordinator cannot start: ImagePullBackOff: .*"awc:2": not found\.$/m);
    expect(cluster.store.names()).toEqual([]);
  });

  test('a part that dies is named, and the rest is not judged as the whole', async () => {
    const { isUnderWay, wrap } = noticeRequests(10);
    const { cluster, load } = await stage({ duration: '60s', wrap });
    const ended = load();
    await isUnderWay;
    const [part] = cluster.store.list('pods').filter(({ metadata }) => /-part-1-/.test(metadata.name));
    cluster.kill(part?.metadata.name ?? '', 'SIGKILL');
    const { code, out, err } = await ended;
    expect(code, out + err).toBe(6);
    expect(err.match(/^! part .*$/gm)).toEqual(['! part 2: it ended with exit code 137 (Error)']);
    expect(cluster.store.names()).toEqual([]);
  });

  test('the coordinator owns the rest, and Ctrl-C deletes everything: 130', async () => {
    const { isUnderWay, wrap } = noticeRequests(10);
    const { cluster, start } = await stage({ duration: '60s', wrap });
    const { child, ended } = start('--shards', '1');
    await isUnderWay;
    const owned = ['configmaps', 'secrets', 'services', 'networkpolicies', 'jobs'].flatMap((each) =>
      cluster.store.list(each),
    );
    const [owner] = owned.filter(
      ({ metadata }) => metadata.name.endsWith('-gather') && metadata.ownerReferences.length === 0,
    );
    for (const { metadata } of owned)
      if (metadata.name !== owner?.metadata.name)
        expect(metadata.ownerReferences).toMatchObject([{ uid: owner?.metadata['uid'] }]);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, err: expect.stringMatching(/^awc: interrupted\.$/m) });
    expect(cluster.store.names()).toEqual([]);
  });

  test('what the cluster refuses is said, and the rest is deleted', async () => {
    const { cluster, load } = await stage({ forbidden: ['networkpolicies'] });
    const { code, err } = await load();
    expect(code, err).toBe(2);
    expect(err).toMatch(/^awc: the cluster did not create the run: kubectl create: .*networkpolicies is forbidden/m);
    expect(cluster.store.names()).toEqual([]);
  });
});

test.skipIf(kubectl === undefined)(`3: a cluster that does not answer is named once (${needsKubectl})`, async () => {
  const { cluster, load } = await stage();
  await cluster.close();
  const { code, err } = await load();
  expect(code, err).toBe(3);
  const said = err.split('\n').filter((line) => line.includes('kubectl'));
  expect(said).toEqual([expect.stringMatching(/^awc: the cluster does not answer: kubectl create: [^;]*refused/)]);
});

test('without kubectl, it says what to install', async () => {
  const { args, env } = await stage();
  const { code, err } = await awcWith({ ...env, PATH: '/nowhere' }, ...args);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^awc: --kubernetes needs kubectl, which is not on the PATH: install it/m),
  ]);
});
