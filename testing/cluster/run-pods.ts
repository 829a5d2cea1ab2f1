import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { realClock } from '../../core/clock.ts';
import { freePort } from '../network/port-of.ts';
import { type Job, serviceSchema } from './cluster-object.ts';
import { logOf, type PodLog } from './pod-log.ts';
import { hasAll, type Replacement, startContainer } from './start-container.ts';
import { isLabelled, type Store } from './store.ts';

const retryMs = 50;

export type Pods = {
  /** Starts the pods of a Job. */
  readonly start: (job: Job) => void;
  readonly log: (pod: string) => PodLog | undefined;
  /** Ends the process of a pod. */
  readonly kill: (pod: string, signal: NodeJS.Signals) => void;
  readonly close: () => Promise<void>;
};

type Running = { readonly child: ChildProcess; readonly log: PodLog; readonly folder: string };

/** Runs the containers of Jobs as processes of this machine. Only `images` can be pulled. */
export function createPods(store: Store, images: readonly string[]): Pods {
  const running = new Map<string, Running>();
  const addressesFor = createServicePorts(store);
  const starts: Promise<void>[] = [];
  let isClosed = false;

  async function startPod(job: Job, index: number): Promise<void> {
    const { metadata, spec } = job.spec.template;
    const name = podName(job, index);
    store.put('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        labels: { ...metadata.labels, 'job-name': job.metadata.name },
        annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
        ownerReferences: [{ uid: String(job.metadata['uid']) }],
      },
      spec: { containers: [{ name: 'one' }] },
    });
    const [container] = spec.containers;
    if (container === undefined) return;
    if (!images.includes(container.image)) {
      const message = `Back-off pulling image "${container.image}": not found`;
      return setState(store, name, 'Pending', { waiting: { reason: 'ImagePullBackOff', message } });
    }
    const run = metadata.labels['app.kubernetes.io/instance'] ?? '';
    while (!hasAll(store, container, spec.volumes, run)) {
      if (isClosed || store.get('pods', name) === undefined) return;
      const waiting = { reason: 'CreateContainerConfigError', message: 'secret not found' };
      setState(store, name, 'Pending', { waiting });
      await realClock.sleep(retryMs);
    }
    const addresses = await addressesFor(metadata.labels);
    const { child, folder } = await startContainer(store, { container, volumes: spec.volumes, index, addresses });
    running.set(name, { child, folder, log: logOf(child) });
    setState(store, name, 'Running', { running: {} });
    child.once('close', (code: number | null, signal: string | null) => {
      const exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
      const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' };
      setState(store, name, exitCode === 0 ? 'Succeeded' : 'Failed', { terminated });
    });
  }

  function kill(pod: string, signal: NodeJS.Signals): void {
    const { child, log } = running.get(pod) ?? {};
    if (child?.pid === undefined || log?.isOver() === true) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  }

  return {
    start(job) {
      for (let index = 0; index < job.spec.completions; index += 1) starts.push(startPod(job, index));
    },
    log: (pod) => running.get(pod)?.log,
    kill,
    async close() {
      isClosed = true;
      await Promise.all(starts);
      for (const [name, { log, folder }] of running) {
        const { promise: isOver, resolve } = Promise.withResolvers<void>();
        log.follow(() => {}, resolve);
        kill(name, 'SIGKILL');
        await isOver;
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function podName(job: Job, index: number): string {
  return `${job.metadata.name}-${index}-x`;
}

function setState(store: Store, name: string, phase: string, state: object): void {
  const pod = store.get('pods', name);
  if (pod !== undefined) store.put('pods', { ...pod, status: { phase, containerStatuses: [{ name: 'one', state }] } });
}

/** Gives each Service a free port of this machine, and says what stands for its address in the pods with some labels. */
function createServicePorts(store: Store) {
  const ports = new Map<string, Promise<number>>();
  return async (labels: Readonly<Record<string, string>>): Promise<readonly Replacement[]> => {
    const found: Replacement[] = [];
    for (const service of store.list('services')) {
      const { spec } = serviceSchema.parse(service);
      const { name } = service.metadata;
      const reserved = ports.get(name) ?? freePort();
      ports.set(name, reserved);
      const port = await reserved;
      for (const { port: written } of spec.ports) {
        found.push([`http://${name}:${written}`, `http://127.0.0.1:${port}`]);
        if (isLabelled(labels, spec.selector)) found.push([`0.0.0.0:${written}`, `127.0.0.1:${port}`]);
      }
    }
    return found;
  };
}
