import { describe, expect, test } from 'vitest';
import { type ClusterState, warningsIn, workIn } from './cluster-state.ts';
import { createWatch } from './watch-run.ts';

const minute = 60_000;
const label = 'app.kubernetes.io/component';

const job = (role: string, status: object = {}) => ({
  kind: 'Job',
  metadata: { name: `awc-run-${role}`, labels: { [label]: role } },
  status,
});

const pod = (role: string, index: number, status: object) => ({
  kind: 'Pod',
  metadata: {
    name: `awc-run-${role}-${index}-x`,
    labels: { [label]: role },
    annotations: { 'batch.kubernetes.io/job-completion-index': String(index) },
  },
  status,
});

const inState = (state: object, phase = 'Pending') => ({ phase, containerStatuses: [{ state }] });
const running = inState({ running: { startedAt: '2026-11-23T20:00:00Z' } }, 'Running');
const ended = (exitCode: number, reason = 'Error') => inState({ terminated: { exitCode, reason } }, 'Failed');
const waiting = (reason: string, message = 'because') => inState({ waiting: { reason, message } });

/** What the cluster says; a warning is the name of its object, its reason and its message. */
function state(items: readonly object[], warnings: readonly (readonly [string, string, string])[] = []): ClusterState {
  const events = warnings.map(([name, reason, message]) => ({ involvedObject: { name }, reason, message }));
  return {
    ...workIn(JSON.stringify({ items })),
    warnings: warningsIn(JSON.stringify({ items: events }), 'awc-run'),
  };
}

const jobs = [job('gather'), job('part')];
const up = pod('gather', 0, running);
const oneUp = [...jobs, up, pod('part', 0, running)];

/** The standing after each look; looks are so many milliseconds apart. */
function standings(apartMs: number, ...states: readonly ClusterState[]) {
  const watch = createWatch(2, 60 * minute);
  return states.map((each, index) => watch(each, index * apartMs).standing);
}

test('the exit code of the coordinator is the verdict', () => {
  for (const exitCode of [0, 1, 4, 6]) {
    const over = state([...jobs, pod('gather', 0, ended(exitCode)), pod('part', 0, running)]);
    expect(standings(1, over)).toMatchObject([{ kind: 'ended', exitCode }]);
  }
});

test('a coordinator that something else ended has no verdict', () => {
  expect(standings(1, state([...jobs, pod('gather', 0, ended(137, 'OOMKilled'))]))).toMatchObject([
    { kind: 'hopeless', exitCode: 4, reason: 'the coordinator failed: it ended with exit code 137 (OOMKilled)' },
  ]);
  const evicted = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' };
  expect(standings(1, state([...jobs, pod('gather', 0, evicted)]))).toMatchObject([
    { reason: 'the coordinator failed: Evicted: The node was low on memory.' },
  ]);
  const conditions = [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'too long' }];
  expect(standings(1, state([job('gather', { conditions }), job('part')]))).toMatchObject([
    { reason: 'the coordinator failed: DeadlineExceeded: too long' },
  ]);
});

test('a run whose coordinator was deleted ends', () => {
  const gone = state([job('part')]);
  expect(standings(2000, gone, gone)).toMatchObject([{ kind: 'going' }, { kind: 'hopeless', exitCode: 4 }]);
});

describe('a pod that does not start', () => {
  const blocked = (status: object, ...warnings: readonly (readonly [string, string, string])[]) =>
    state([...oneUp, pod('part', 1, status)], warnings);
  const name = 'awc-run-part-1-x';

  test.each([
    ['whose image has no valid name', blocked(waiting('InvalidImageName')), 0],
    ['whose image is not there', blocked(waiting('ErrImagePull', 'pulling image "awc:2": not found')), 0],
    [
      'whose image is not there, by an event',
      blocked(waiting('ContainerCreating'), [name, 'Failed', 'Failed to pull image "a": not found']),
      0,
    ],
    ['whose registry fails', blocked(waiting('ImagePullBackOff', 'Back-off pulling image: 503')), 1],
    ['that lacks a Secret', blocked(waiting('CreateContainerConfigError', 'secret "a" not found')), 1],
    [
      'that has no node',
      blocked({
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }],
      }),
      10,
    ],
    [
      'whose volume is not mounted',
      blocked(waiting('ContainerCreating'), [name, 'FailedMount', 'configmap "a" not found']),
      10,
    ],
    ['for no reason that is shown', blocked({ phase: 'Pending' }), 10],
  ])('%s', (_what, stuck, minutes) => {
    const looks = standings(minute / 2, ...Array.from({ length: 2 * minutes + 1 }, () => stuck));
    expect(looks.slice(0, -1).map(({ kind }) => kind)).toEqual(Array.from({ length: 2 * minutes }, () => 'going'));
    expect(looks.at(-1)).toMatchObject({
      kind: 'hopeless',
      exitCode: 6,
      reason: expect.stringMatching(/^part 2 cannot start: /),
    });
  });

  test('is no reason to end if it starts in the end', () => {
    const stuck = blocked(waiting('ImagePullBackOff', '503'));
    const started = state([...oneUp, pod('part', 1, running)], [[name, 'Failed', 'Failed to pull image: 503']]);
    expect(standings(minute / 2, stuck, stuck, started, started).at(-1)).toMatchObject({
      kind: 'going',
      areAllStarted: true,
    });
  });
});

test('a Job that may not create its pods ends the run, if it does not get them', () => {
  const quota = ['awc-run-part', 'FailedCreate', 'exceeded quota: cpu'] as const;
  const [first, second, third] = standings(minute / 2, ...[1, 2, 3].map(() => state(oneUp, [quota])));
  expect([first?.kind, second?.kind]).toEqual(['going', 'going']);
  expect(third).toMatchObject({ reason: 'the parts cannot start: FailedCreate: exceeded quota: cpu', exitCode: 6 });
  const both = state([...oneUp, pod('part', 1, running)], [quota]);
  expect(standings(minute, both, both)).toMatchObject([{ kind: 'going' }, { kind: 'going' }]);
  const security = [
    'awc-run-gather',
    'FailedCreate',
    'pods "a" is forbidden: violates PodSecurity "restricted"',
  ] as const;
  expect(standings(1, state(jobs, [security]))).toMatchObject([{ kind: 'hopeless', exitCode: 4 }]);
});

test('the coordinator has some seconds to name a part that failed', () => {
  const failed = state([...oneUp, pod('part', 1, ended(137, 'OOMKilled'))]);
  expect(standings(10_000, failed, failed, failed)).toMatchObject([
    { kind: 'going' },
    { kind: 'going' },
    { kind: 'hopeless', exitCode: 6, reason: 'part 2 failed: it ended with exit code 137 (OOMKilled)' },
  ]);
});

test('nothing lasts beyond the deadline', () => {
  const whole = state([...oneUp, pod('part', 1, running)]);
  expect(standings(61 * minute, whole, whole)).toMatchObject([{ kind: 'going' }, { kind: 'hopeless', exitCode: 4 }]);
});

test('each piece of news is said once, and events of other runs are not', () => {
  const watch = createWatch(2, minute);
  const stuck = state(
    [...oneUp, pod('part', 1, waiting('ContainerCreating'))],
    [
      ['awc-run-part-1-x', 'FailedMount', 'not yet'],
      ['awc-other-part-1-x', 'FailedMount', 'not mine'],
    ],
  );
  expect([watch(stuck, 0).news, watch(stuck, 1).news]).toEqual([['part 2: FailedMount: not yet'], []]);
});
