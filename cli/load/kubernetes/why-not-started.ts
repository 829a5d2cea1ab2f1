import type { ClusterState, Job, Pod, Warning } from './cluster-state.ts';
import { roleLabel } from './objects.ts';

/** Why a pod has not started yet. */
export type Obstacle = {
  /** The pod, or the Job that cannot create its pods. */
  readonly of: string;
  /** As people call it: `part 2`. */
  readonly who: string;
  readonly reason: string;
  readonly message: string;
  /** How long it may last before the run is given up, in milliseconds. */
  readonly patienceMs: number;
};

/** New nodes and large images take minutes; a cluster without room may get some. */
const longPatienceMs = 10 * 60_000;
/** A registry or a mount may fail once. */
const shortPatienceMs = 60_000;

/** The usual states of a pod that starts. */
const usual = ['', 'ContainerCreating', 'PodInitializing'];

/** Each reason that a pod or a Job gives for not having started, the one with the least patience first. */
export function obstaclesIn({ jobs, pods, warnings }: ClusterState, shards: number): readonly Obstacle[] {
  const lacksPods = (job: Job) =>
    pods.filter((pod) => roleOf(pod) === roleOf(job)).length < (roleOf(job) === 'part' ? shards : 1);
  const ofPods = pods.filter((pod) => !hasStarted(pod)).flatMap((pod) => obstaclesOf(pod, aboutIt(pod, warnings)));
  const ofJobs = jobs.filter(lacksPods).flatMap((job) =>
    aboutIt(job, warnings)
      .filter(({ reason }) => reason === 'FailedCreate')
      .map(({ reason, message }) => obstacle({ of: job.metadata.name, who: whoIs(job) }, reason, message)),
  );
  return [...ofPods, ...ofJobs].toSorted((one, other) => one.patienceMs - other.patienceMs);
}

export function hasStarted({ status }: Pod): boolean {
  const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
  return isOver || status.containerStatuses.some(({ state }) => (state.running ?? state.terminated) !== undefined);
}

function aboutIt({ metadata }: Pod | Job, warnings: readonly Warning[]): readonly Warning[] {
  return warnings.filter(({ involvedObject }) => involvedObject.name === metadata.name);
}

function obstaclesOf(pod: Pod, warnings: readonly Warning[]): readonly Obstacle[] {
  const { conditions, containerStatuses } = pod.status;
  const waiting = containerStatuses.flatMap(({ state }) => state.waiting ?? []);
  const unscheduled = conditions.filter(({ type, status }) => type === 'PodScheduled' && status === 'False');
  const given = [...waiting, ...unscheduled, ...warnings].filter(({ reason }) => !usual.includes(reason));
  const named = { of: pod.metadata.name, who: whoIs(pod) };
  const found = given.map(({ reason, message }) => obstacle(named, reason, message));
  return found.length > 0 ? found : [obstacle(named, 'Pending', 'its container has not started')];
}

function obstacle(named: Pick<Obstacle, 'of' | 'who'>, reason: string, message: string): Obstacle {
  return { ...named, reason, message, patienceMs: patienceFor(reason, message) };
}

function patienceFor(reason: string, message: string): number {
  const isFinal =
    ['InvalidImageName', 'ErrImageNeverPull'].includes(reason) ||
    (/\bpull/i.test(message) && /not found|denied|unauthorized|manifest unknown/i.test(message)) ||
    (reason === 'FailedCreate' && /violates PodSecurity/.test(message));
  if (isFinal) return 0;
  const isTrouble = [
    'FailedCreate',
    'ErrImagePull',
    'ImagePullBackOff',
    'CreateContainerConfigError',
    'CreateContainerError',
  ];
  return isTrouble.includes(reason) ? shortPatienceMs : longPatienceMs;
}

export function roleOf({ metadata }: Pod | Job): string | undefined {
  return metadata.labels[roleLabel];
}

/** What people call a pod or a Job. */
export function whoIs(of: Pod | Job): string {
  const { kind, metadata } = of;
  if (roleOf(of) === 'gather') return 'the coordinator';
  if (kind === 'Job') return 'the parts';
  const index = Number(metadata.annotations['batch.kubernetes.io/job-completion-index']);
  return Number.isInteger(index) ? `part ${index + 1}` : metadata.name;
}
