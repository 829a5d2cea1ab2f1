import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Clock } from '../../../core/clock.ts';
import { jsonIn } from '../../../core/json.ts';
import type { Redactor } from '../../../core/redaction/redact.ts';
import { shown, shownLines } from '../../../core/text.ts';
import { loadExitCode } from '../../../reports/load/load-exit-code.ts';
import { type LoadRecord, loadRecordFormat, loadRecordSchema } from '../../../reports/load/load-record.ts';
import { safeJsonLine } from '../../../reports/text/safe-json.ts';
import { unlessInterrupted } from '../../hooks/with-hooks.ts';
import type { Context } from '../../shared/context.ts';
import { writeWhole } from '../../shared/write-whole.ts';
import { isLiveLine } from '../live-view.ts';
import type { ClusterRun } from './cluster-run.ts';
import { type ClusterState, type Pod, warningsIn, workIn } from './cluster-state.ts';
import type { Kubectl } from './kubectl.ts';
import { deadlineSeconds, selectorOf } from './objects.ts';
import { createWatch, failureText, type Standing, wasStopped } from './watch-run.ts';
import { hasStarted, whoIs } from './why-not-started.ts';

type Means = {
  readonly kubectl: Kubectl;
  readonly redactor: Redactor;
  /** The folder for load.json. */
  readonly out: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

const pollMs = 2000;
/** How long the cluster may give no answer, in milliseconds. */
const silentMs = 60_000;
/** How long the log may go on after the coordinator has ended, in milliseconds. */
const logRestMs = 10_000;
/** How much longer than the cluster this process waits for the deadline, in milliseconds. */
const beyondDeadlineMs = 120_000;
/** The last lines of the log of a failed pod, and the most failed pods to show. */
const lastLines = 10;
const mostFailed = 3;

/** Shows the log of the coordinator and what keeps pods from starting, until there is a verdict. Returns its exit code. */
export async function superviseRun(run: ClusterRun, means: Means, context: Context): Promise<number> {
  const { kubectl, redactor, clock, signal } = means;
  const say = (text: string) => context.err.write(`! ${shown(redactor.text(text), 1000)}\n`);
  const watch = createWatch(run.shards, clock.now() + deadlineSeconds(run) * 1000 + beyondDeadlineMs);
  const look = createLook(run, means, say);
  let standing: Standing = { kind: 'going', areAllStarted: false };
  let state: ClusterState = { jobs: [], pods: [], warnings: [] };
  let isOver = false;
  const followed = new Map<string, Promise<void>>();
  try {
    while (standing.kind === 'going') {
      const looked = await look(standing.areAllStarted);
      if (typeof looked === 'string') {
        standing = { kind: 'hopeless', reason: `the cluster gives no answer: ${looked}`, exitCode: 4 };
        break;
      }
      state = looked;
      const seen = watch(state, clock.now());
      standing = seen.standing;
      for (const text of seen.news) say(text);
      follow(state.pods);
      if (standing.kind === 'going') await unlessInterrupted(signal, clock.sleep(pollMs));
    }
  } finally {
    isOver = true;
  }
  if (standing.kind === 'ended')
    await Promise.race([followed.get('the coordinator'), after(logRestMs, undefined, { ref: false })]);
  if (standing.kind === 'hopeless') context.out.write(`No verdict: ${shown(redactor.text(standing.reason), 1000)}.\n`);
  if (standing.exitCode === 6 || standing.kind === 'hopeless') await showFailed(state.pods);
  return standing.kind === 'hopeless' ? standing.exitCode : verdictOf(standing, means, context);

  /** Shows the log of the coordinator, and in it the progress of the first part, which stands for all. */
  function follow(pods: readonly Pod[]): void {
    for (const pod of pods.filter((each) => hasStarted(each) && !followed.has(whoIs(each)))) {
      const who = whoIs(pod);
      const onLine = who === 'the coordinator' ? showLine : (line: string) => showProgress(who, line);
      if (who === 'the coordinator' || who === 'part 1')
        followed.set(
          who,
          followLog(pod.metadata.name, onLine, means, () => isOver, deadlineSeconds(run) * 1000).catch(() => {}),
        );
    }
  }

  function showLine(line: string): void {
    if (!isRecord(line)) context.out.write(`${shownLines(redactor.text(line))}\n`);
  }

  function showProgress(who: string, line: string): void {
    if (isLiveLine(line)) context.err.write(`${who}: ${shown(redactor.text(line), 500)}\n`);
  }

  /** Shows how pods failed, with the end of their logs. */
  async function showFailed(pods: readonly Pod[]): Promise<void> {
    const failed = pods.filter(
      (pod) => pod.status.phase === 'Failed' && whoIs(pod) !== 'the coordinator' && !wasStopped(pod),
    );
    for (const pod of failed.slice(0, mostFailed)) {
      say(`${whoIs(pod)}: ${failureText(pod)}`);
      if (!hasStarted(pod)) continue;
      const { out } = await kubectl(['logs', `--tail=${lastLines}`, pod.metadata.name]);
      for (const line of out.split('\n').filter((each) => each.trim() !== ''))
        context.err.write(`  ${shown(redactor.text(line), 500)}\n`);
    }
  }
}

/** Asks the cluster how a run stands. It may give no answer for a while; after that, the result is the problem. */
function createLook(run: ClusterRun, { kubectl, clock, signal }: Means, say: (text: string) => void) {
  return async (areAllStarted: boolean): Promise<ClusterState | string> => {
    const since = clock.now();
    for (let isFirst = true; ; isFirst = false) {
      const work = await kubectl(['get', 'jobs,pods', '-l', selectorOf(run), '-o', 'json']);
      if (work.ok) return { ...workIn(work.out), warnings: areAllStarted ? [] : await warnings() };
      if (clock.now() - since > silentMs) return work.problem;
      if (isFirst) say(work.problem);
      await unlessInterrupted(signal, clock.sleep(pollMs));
    }
  };

  /** A user may have no right to read events: then the state of the pods must do. */
  async function warnings(): Promise<ClusterState['warnings']> {
    const events = await kubectl(['get', 'events', '--field-selector=type=Warning', '-o', 'json']);
    return events.ok ? warningsIn(events.out, run.name) : [];
  }
}

function isRecord(line: string): boolean {
  return line.startsWith(`{"format":"${loadRecordFormat}"`);
}

/** Fetches the record, which is the last line of the log, and returns the exit code. A verdict without a record does not count. */
async function verdictOf(
  { coordinator, exitCode }: Extract<Standing, { kind: 'ended' }>,
  { kubectl, out }: Means,
  { err }: Context,
): Promise<number> {
  // Not --tail=1: container runtimes keep a long line in pieces, and the tail of a log would be the last piece.
  const log = await kubectl(['logs', coordinator.metadata.name]);
  const record = recordIn(log.out.trimEnd().split('\n').at(-1) ?? '');
  if (record !== undefined && out !== undefined) await writeWhole(join(out, 'load.json'), safeJsonLine(record));
  if (exitCode !== 0 || (record !== undefined && loadExitCode(record) === 0)) return exitCode;
  err.write(
    `! The coordinator ended with 0, but its log does not end with the record${log.ok ? '' : ` (${log.problem})`}.\n`,
  );
  return 4;
}

function recordIn(text: string): LoadRecord | undefined {
  return isRecord(text) ? loadRecordSchema.safeParse(jsonIn(text)).data : undefined;
}

const retryMs = 2000;

/** Calls `onLine` with each line of a pod's log until the run is over. If a connection ends, or lasts too long, it connects again and continues after the last line. */
async function followLog(
  pod: string,
  onLine: (line: string) => void,
  { kubectl, clock }: Means,
  isOver: () => boolean,
  timeoutMs: number,
): Promise<void> {
  let done = 0;
  do {
    let count = 0;
    const onNext = (line: string) => {
      count += 1;
      if (count <= done) return;
      done = count;
      onLine(line);
    };
    await kubectl(['logs', '--follow', pod], { onLine: onNext, timeoutMs });
    await clock.sleep(isOver() ? 0 : retryMs);
  } while (!isOver());
}
