import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { launcher } from '../launcher.ts';
import { type Container, dataSchema, type Volume } from './cluster-object.ts';
import type { Store } from './store.ts';

/** A container that is to be started. */
export type Start = {
  readonly container: Container;
  readonly volumes: readonly Volume[];
  readonly index: number;
  /** What stands for the addresses in its command. */
  readonly addresses: readonly Replacement[];
};

export type Replacement = readonly [from: string, to: string];

/** Whether everything is there that a container refers to, and a Service of its run, whose address is a port of this machine. */
export function hasAll(store: Store, container: Container, volumes: readonly Volume[], run: string): boolean {
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  const needed = [
    ['services', run] as const,
    ...container.env.map(({ valueFrom }) => ['secrets', valueFrom.secretKeyRef.name] as const),
    ...sources.flatMap(({ configMap }) => (configMap === undefined ? [] : [['configmaps', configMap.name] as const])),
    ...sources.flatMap(({ secret }) => (secret === undefined ? [] : [['secrets', secret.name] as const])),
  ];
  return needed.every(([resource, name]) => store.get(resource, name) !== undefined);
}

/** Starts the command of a container as a process in a folder, with its volumes as folders in it. */
export async function startContainer(
  store: Store,
  { container, volumes, index, addresses }: Start,
): Promise<{ readonly child: ChildProcess; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-pod-'));
  const mounts = container.volumeMounts.map(({ name, mountPath }): Replacement => [mountPath, join(folder, name)]);
  for (const { name } of container.volumeMounts) {
    const sources = volumes.find((volume) => volume.name === name)?.projected?.sources ?? [];
    await mkdir(join(folder, name));
    for (const source of sources) await writeFiles(store, source, join(folder, name));
  }
  const replacements = [...addresses, ['/opt/awc/cli/awc.mjs', launcher] as const, ...mounts];
  const local = (word: string) => replacements.reduce((text, [from, to]) => text.replaceAll(from, to), word);
  const [command = '', ...args] = container.command.map((word) => (word === 'node' ? process.execPath : local(word)));
  const given = container.env.map(({ name, valueFrom: { secretKeyRef } }) => [
    name,
    valueIn(store, 'secrets', secretKeyRef.name, secretKeyRef.key),
  ]);
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    ...Object.fromEntries(given),
    JOB_COMPLETION_INDEX: String(index),
  };
  return {
    child: spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }),
    folder,
  };
}

type Source = NonNullable<Volume['projected']>['sources'][number];

async function writeFiles(store: Store, { configMap, secret }: Source, folder: string): Promise<void> {
  for (const [resource, source] of [['configmaps', configMap] as const, ['secrets', secret] as const]) {
    for (const { key, path } of source?.items ?? []) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), valueIn(store, resource, source?.name ?? '', key));
    }
  }
}

function valueIn(store: Store, resource: 'configmaps' | 'secrets', name: string, key: string): string {
  const object = store.get(resource, name);
  if (object === undefined) return ''; // It was deleted while the container was starting.
  const { data, stringData } = dataSchema.parse(object);
  const kept = data[key] ?? '';
  return resource === 'secrets' ? (stringData[key] ?? Buffer.from(kept, 'base64').toString()) : kept;
}
