import type { ClusterState, Job, Pod } from './cluster-state.ts';
import { hasStarted, obstaclesIn, type Obstacle, roleOf, whoIs } from './why-not-started.ts';

/** How a run stands. */
export type Standing =
  | { readonly kind: 'going'; readonly areAllStarted: boolean }
  /** The coordinator has the verdict. */
  | { readonly kind: 'ended'; readonly coordinator: Pod; readonly exitCode: number }
  | { readonly kind: 'hopeless'; readonly reason: string; readonly exitCode: 4 | 6 };

/** The exit codes of `awc load gather`. */
const verdictCodes = [0, 1, 2, 3, 4, 5, 6, 130];

/** How long the coordinator may take to end after a part that gave a reason for its failure. A part that was killed gives none. */
const noticeMs = 15_000;

/** Watches a run through what the cluster says about it, again and again. */
export function createWatch(shards: number, deadlineAt: number) {
  const since = new Map<string, number>();
  const said = new Set<string>();

  /** How long something has lasted, in milliseconds. */
  function lasted(what: string, now: number): number {
    const first = since.get(what) ?? now;
    since.set(what, first);
    return now - first;
  }

  function giveUp({ who, reason, message }: Obstacle): Standing {
    const isPart = who !== 'the coordinator';
    return { kind: 'hopeless', reason: `${who} cannot start: ${reason}: ${message}`, exitCode: isPart ? 6 : 4 };
  }

  /** `now` is in milliseconds since the epoch. `news` is what was not said before. */
  return (state: ClusterState, now: number): { readonly standing: Standing; readonly news: readonly string[] } => {
    const obstacles = obstaclesIn(state, shards);
    const news = obstacles
      .filter(({ reason }) => reason !== 'Pending')
      .map(({ who, reason, message }) => `${who}: ${reason}: ${message}`)
      .filter((text) => !said.has(text));
    for (const text of news) said.add(text);
    return { standing: standingOf(state, obstacles, now), news };
  };

  function standingOf(state: ClusterState, obstacles: readonly Obstacle[], now: number): Standing {
    const coordinator = state.pods.find((pod) => roleOf(pod) === 'gather');
    const exitCode = coordinator === undefined ? undefined : exitCodeOf(coordinator);
    if (coordinator !== undefined && exitCode !== undefined) return { kind: 'ended', coordinator, exitCode };
    const broken = state.jobs.find((job) => roleOf(job) === 'gather' && failureOf(job) !== undefined);
    if (broken !== undefined || coordinator?.status.phase === 'Failed') {
      const ofPod = coordinator?.status.phase === 'Failed' ? failureText(coordinator) : undefined;
      const why = ofPod ?? (broken === undefined ? '' : failureOf(broken));
      return { kind: 'hopeless', reason: `the coordinator failed: ${why}`, exitCode: 4 };
    }
    if (!state.jobs.some((job) => roleOf(job) === 'gather') && lasted('no coordinator', now) > 0)
      return { kind: 'hopeless', reason: 'the coordinator was deleted', exitCode: 4 };
    const blocked = obstacles.find(({ of, patienceMs }) => lasted(`${of} ${patienceMs}`, now) >= patienceMs);
    if (blocked !== undefined) return giveUp(blocked);
    const parts = state.pods.filter((pod) => roleOf(pod) === 'part');
    const failed = parts.find(({ status }) => status.phase === 'Failed');
    if (failed !== undefined && lasted('a failed part', now) > noticeMs) {
      const reason = `${whoIs(failed)} failed: ${failureText(failed)}`;
      return { kind: 'hopeless', reason, exitCode: 6 };
    }
    if (now > deadlineAt) return { kind: 'hopeless', reason: 'it did not end by its deadline', exitCode: 4 };
    const isUp = coordinator !== undefined && hasStarted(coordinator);
    return { kind: 'going', areAllStarted: isUp && parts.length === shards && parts.every(hasStarted) };
  }
}

/** The exit code of the command. A container that something else ended has none. */
function exitCodeOf(pod: Pod): number | undefined {
  const code = endOf(pod)?.exitCode;
  return code !== undefined && verdictCodes.includes(code) ? code : undefined;
}

function failureOf({ status }: Job): string | undefined {
  const failed = status.conditions.find((each) => each.type === 'Failed' && each.status === 'True');
  return failed === undefined ? undefined : `${failed.reason}: ${failed.message}`;
}

function endOf({ status }: Pod) {
  return status.containerStatuses.flatMap(({ state }) => state.terminated ?? [])[0];
}

/** Whether a part ended because the load was stopped: another one has the cause. */
export function wasStopped(pod: Pod): boolean {
  return [6, 130].includes(endOf(pod)?.exitCode ?? 0);
}

/** How a pod failed. */
export function failureText(pod: Pod): string {
  const { reason, message } = pod.status;
  const end = endOf(pod);
  return end === undefined ? `${reason}: ${message}` : `it ended with exit code ${end.exitCode} (${end.reason})`;
}
