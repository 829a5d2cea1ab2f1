import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { virtualClock } from '../../../core/clock.ts';
import { createRedactor } from '../../../core/redaction/redact.ts';
import { safeJsonLine } from '../../../reports/text/safe-json.ts';
import { sampleLoadRecord } from '../../../testing/samples/load-records.ts';
import { contextOn, createCollector, temporaryFolder } from '../../../testing/try-awc.ts';
import type { ClusterRun } from './cluster-run.ts';
import { superviseRun } from './supervise-run.ts';

const run: ClusterRun = {
  name: 'awc-run',
  image: 'awc',
  shards: 1,
  seed: 7,
  files: [],
  secretFiles: [],
  variables: {},
  unset: [],
  profilePath: '',
  loadMs: 60_000,
  secrets: [],
};

const labels = { 'app.kubernetes.io/component': 'gather' };

/** What `kubectl get` prints about a run whose coordinator is in this state. */
function work(state: object): string {
  const metadata = { name: 'awc-run-gather-x', labels };
  const pod = { kind: 'Pod', metadata, status: { phase: 'Running', containerStatuses: [{ state }] } };
  return JSON.stringify({ items: [{ kind: 'Job', metadata }, pod] });
}

const isUp = work({ running: {} });
const ended = (exitCode: number) => work({ terminated: { exitCode } });

type Answers = {
  /** The answers to `kubectl get jobs,pods`, the last of them again and again; undefined is none. */
  readonly looks: readonly (string | undefined)[];
  /** The lines of each connection that follows the log. */
  readonly logs?: readonly (readonly string[])[];
  readonly lastLine?: string;
};

/** Supervises a run by a kubectl that gives these answers. */
async function supervised({ looks, logs = [], lastLine = '' }: Answers) {
  const [out, err] = [createCollector(), createCollector()];
  const folder = await temporaryFolder();
  const [looking, following] = [looks.values(), logs.values()];
  let last = looks[0];
  const answered = (text: string | undefined) =>
    text === undefined
      ? { ok: false, out: '', problem: 'kubectl get: no connection' }
      : { ok: true, out: text, problem: '' };
  const means = {
    kubectl: async ([verb, what]: readonly string[], { onLine }: { readonly onLine?: (line: string) => void } = {}) => {
      if (verb === 'get' && what === 'events') return answered('{"items":[]}');
      if (verb === 'get') {
        const next = looking.next();
        if (next.done !== true) last = next.value;
        return answered(last);
      }
      if (onLine === undefined) return answered(`one\n${lastLine}`);
      for (const line of following.next().value ?? []) onLine(line);
      return answered('');
    },
    redactor: createRedactor([]),
    out: folder,
    clock: virtualClock(),
    signal: new AbortController().signal,
  };
  const code = await superviseRun(run, means, contextOn(out, err));
  return { code, out: out.text(), err: err.text(), record: () => readFile(join(folder, 'load.json'), 'utf8') };
}

const record = safeJsonLine(sampleLoadRecord({ result: 'held' }));

test('a log whose connection ends goes on where it was, and the record in it is written instead of shown', async () => {
  const whole = ['one', 'two', 'three', record.trimEnd()];
  const looks = [isUp, isUp, isUp, ended(0)];
  const ran = await supervised({ looks, logs: [whole.slice(0, 2), whole], lastLine: record });
  expect(ran).toMatchObject({ code: 0, out: 'one\ntwo\nthree\n', err: '' });
  expect(JSON.parse(await ran.record())).toEqual(JSON.parse(record));
});

test('0 without the record of a passed load is no verdict', async () => {
  const looks = [isUp, ended(0)];
  const missed = safeJsonLine(sampleLoadRecord({ result: 'missed' }));
  for (const lastLine of ['', '{"format":"awc-load/1"', '{"format":"awc-load/1"}', missed]) {
    const { code, err } = await supervised({ looks, lastLine });
    expect([code, err]).toEqual([4, expect.stringContaining('its log does not end with the record')]);
  }
  expect(await supervised({ looks: [isUp, ended(6)] })).toMatchObject({ code: 6 });
});

test('a cluster that gives no answer for a while is asked again, and for a minute at most', async () => {
  expect(await supervised({ looks: [isUp, undefined, undefined, ended(1)] })).toMatchObject({ code: 1 });
  expect(await supervised({ looks: [isUp, undefined] })).toMatchObject({
    code: 4,
    out: 'No verdict: the cluster gives no answer: kubectl get: no connection.\n',
    err: '! kubectl get: no connection\n',
  });
});
