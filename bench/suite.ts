import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualClock } from '../core/clock.ts';
import { judge } from '../suites/run/judge.ts';
import { median } from '../load/compare/statistics/median.ts';
import { createSession } from '../engine/session/session.ts';
import { usedUp } from '../engine/session/used-up.ts';
import { createWorldData } from '../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../reference/data/options.ts';
import { prompts } from '../reference/prompts.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

// The cost of running the suite, as medians of five runs, and what a run costs a deployment, in virtual time: `npm run bench`.

const rounds = 5;
const awc = new URL('../cli/awc.mjs', import.meta.url).pathname;

type Ran = { readonly seconds: number; readonly megabytes: number };

/** Runs the command to its end, as a user does. Its memory is the peak that Linux reports. */
async function ran(...args: readonly string[]): Promise<Ran> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [awc, ...args], { stdio: 'ignore' });
  let megabytes = 0;
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  };
  const watch = setInterval(() => void look(), 20);
  await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  return { seconds: (performance.now() - startedAt) / 1000, megabytes };
}

async function repeated(...args: readonly string[]): Promise<Ran> {
  const all: Ran[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await ran(...args));
  return {
    seconds: median(all.map(({ seconds }) => seconds)),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
  };
}

/** How long each check takes in-process, in milliseconds. The first check that needs a shared fixture pays for it. */
async function checkTimes(): Promise<readonly number[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants });
  const ms: number[] = [];
  for (const check of suites) {
    const startedAt = performance.now();
    await judge(check, session);
    ms.push(performance.now() - startedAt);
  }
  return ms;
}

type Costs = {
  /** How long the assistant takes for the quick prompt, and for the slow one. */
  readonly quickMs: number;
  readonly slowMs: number;
  /** Whether the run can cause outages. */
  readonly hooks: boolean;
};

/** What a whole run costs a deployment behind a loopback network. */
async function costs({ quickMs, slowMs, hooks }: Costs) {
  const seed = 1;
  const clock = virtualClock();
  const data = createWorldData(seed, defaultDataOptions);
  const rules = { assistantMs: (text: string) => (text === prompts.slow ? slowMs : quickMs) };
  const reference = createReference({ clock, seed, latencyMs: [1, 1], like: { data, rules } });
  const outages = hooks ? reference.outages : {};
  const session = openSession({ ...reference, outages, clock, seed }, suites);
  const { requests, durationMs } = await runSuite(session, suites);
  const { messages, deletions, attachments } = usedUp(session);
  const accepted = messages.reduce((sum, { count }) => sum + count, 0);
  return {
    requests,
    accepted,
    deletions: deletions.length,
    attachments: attachments.length,
    seconds: durationMs / 1000,
  };
}

function row(what: string, value: string, bound: string): void {
  process.stdout.write(`${what.padEnd(44)}${value.padStart(12)}   ${bound}\n`);
}

const out = await mkdtemp(join(tmpdir(), 'awc-bench-'));
const run = await repeated('run', '--out', out);
const list = await repeated('list');
const help = await repeated('--help');
const report: unknown = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
await rm(out, { recursive: true });
const requests =
  typeof report === 'object' && report !== null && 'requests' in report ? Number(report.requests) : Number.NaN;
const times = [];
for (let round = 0; round < rounds; round += 1) times.push(await checkTimes());

row('awc run, embedded reference, wall', `${run.seconds.toFixed(2)} s`, '≤ 5 s');
row('awc run, requests', `${requests}`, '≤ 2500');
row('awc run, memory', `${run.megabytes.toFixed(0)} MB`, '≤ 350 MB');
row('one check in-process, median', `${median(times.map((ms) => median(ms))).toFixed(3)} ms`, '≤ 1 ms');
row('awc list', `${list.seconds.toFixed(2)} s`, '≤ 0.4 s');
row('awc --help', `${help.seconds.toFixed(2)} s`, '≤ 0.4 s');

const second = { quickMs: 1000, slowMs: 1000 };
const slow = { quickMs: 6000, slowMs: 40_000 };
const usual = await costs({ ...second, hooks: false });
row('a run, requests', `${usual.requests}`, '≤ 1300');
row('a run, accepted messages', `${usual.accepted}`, '≤ 70');
row('a run, deletions', `${usual.deletions}`, '');
row('a run, attachments', `${usual.attachments}`, '');
row('a run, assistant of 1 s, virtual time', `${usual.seconds.toFixed(0)} s`, '≤ 25 s');
const slower = await costs({ ...slow, hooks: false });
row('a run, assistant of 6 s and 40 s', `${slower.seconds.toFixed(0)} s`, '≤ 180 s');
row('the same, accepted messages', `${slower.accepted}`, '≤ 70');
const hooked = await costs({ ...second, hooks: true });
row('with outage hooks, requests', `${hooked.requests}`, '');
row('with outage hooks, accepted messages', `${hooked.accepted}`, '');
row('with outage hooks, assistant of 1 s', `${hooked.seconds.toFixed(0)} s`, '');
row(
  'with outage hooks, assistant of 6 s and 40 s',
  `${(await costs({ ...slow, hooks: true })).seconds.toFixed(0)} s`,
  '',
);
