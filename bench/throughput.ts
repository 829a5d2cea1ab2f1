import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../load/compare/statistics/median.ts';
import { pointOf } from '../load/measure/distribution.ts';
import { startValidator } from '../load/validate/validator.ts';
import { startCpuTime } from './setup/cpu-time.ts';
import { type Figure, figure } from './setup/figure.ts';
import {
  answersOf,
  bareAutocannon,
  benchRequest,
  closedRun,
  latencyOf,
  lateRun,
  openRun,
} from './setup/run-engines.ts';
import { modelsPage } from './setup/models-page.ts';
import { createPinning } from './setup/pin.ts';
import { startPageServer } from './setup/page-server.ts';
import { startRawServer } from './setup/start-raw-server.ts';

const rounds = 5;
const durationMs = 2000;
const connections = 50;
const lateRequests = 100_000;
/**
 * A generator that cannot keep a rate falls further behind with each request: by a quarter of a second in a run at 110% of
 * what it can send. The median shows that, and ignores short interruptions by other processes.
 */
const mostMedianLagMs = 10;
const firstShare = 1.1;
const stepShare = 0.05;
const leastShare = 0.5;
const mostShare = 2;
/** Plain sockets of Node, without a schedule, a measurement or a validation, reach 1.7 times autocannon's rate. */
const openGoal = 1.7;

/**
 * The throughput of one core: our engines, which validate every answer, against autocannon in turns, so that each ratio
 * compares neighbouring runs. The server is nginx if it is installed, because a server that is slower than the generator
 * would limit the result. It has a core of its own, and each generator has the other one with all of its threads.
 */
export async function throughput(): Promise<readonly Figure[]> {
  const pinning = await createPinning();
  await pinning?.toServerCore();
  const server = (await startPageServer(modelsPage)) ?? { name: 'a Node server', ...(await startRawServer('same')) };
  await pinning?.toGeneratorCore();
  const { name, url } = server;
  const closed: number[] = [];
  const open: number[] = [];
  const bare: number[] = [];
  const bareUs: number[] = [];
  const lateUs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await bareAutocannon(url, durationMs, connections);
    const ours = await closedPerSecond(url);
    const cpu = startCpuTime();
    const after = await bareAutocannon(url, durationMs, connections);
    bareUs.push(cpu.usEach(after.perSecond * (durationMs / 1000)));
    lateUs.push(await cpuUsOfLateRun(url));
    const peer = (before.perSecond + after.perSecond) / 2;
    closed.push(ours / peer);
    open.push(await highestShare(url, after.perSecond));
    bare.push(peer);
  }
  const others = await installedPeers(url, median(open.map((share, round) => share * (bare[round] ?? Number.NaN))));
  await server.close();
  await pinning?.end();
  const where = pinning === undefined ? 'on any core' : 'one core each';
  return [
    figure(
      `bare autocannon, answers a second of ${name}`,
      `${median(bare).toFixed(0)} (median of ${rounds}, ${where})`,
    ),
    ratioFigure('closed engine with validation', closed, 0.95),
    ratioFigure('open engine with validation, highest rate', open, openGoal),
    costFigure(lateUs, bareUs),
    ...others,
  ];
}

function ratioFigure(name: string, ratios: readonly number[], least: number): Figure {
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const middle = median(ratios);
  return figure(name, `${middle.toFixed(2)} of bare autocannon (${range})`, `≥ ${least}`, middle >= least);
}

/** CPU time says what one core could do, and other work on the machine hardly changes it. */
function costFigure(own: readonly number[], peer: readonly number[]): Figure {
  const ratio = median(peer.map((us, round) => us / (own[round] ?? Number.NaN)));
  const value = `${median(own).toFixed(1)} µs for each answer: ${ratio.toFixed(2)} of bare autocannon's answers`;
  return figure('  with the same CPU time', value, `≥ ${openGoal}`, ratio >= openGoal);
}

async function cpuUsOfLateRun(url: string): Promise<number> {
  const validator = await startValidator(1, 1);
  const cpu = startCpuTime();
  const answers = answersOf(await lateRun({ url, listener: validator.offer }, lateRequests, connections));
  const us = cpu.usEach(answers);
  await validator.end(5000);
  return us;
}

async function closedPerSecond(url: string): Promise<number> {
  const validator = await startValidator(1, 1);
  const measurement = await closedRun({ url, durationMs, listener: validator.offer }, connections);
  await validator.end(5000);
  return answersOf(measurement) / (durationMs / 1000);
}

/** The highest rate that our open engine keeps without lag on as many connections, as a share of the peer's throughput, in steps; 0 when it keeps none. */
async function highestShare(url: string, peer: number): Promise<number> {
  let share = firstShare;
  const isUp = await keeps(url, peer * share);
  while (share > leastShare && share < mostShare) {
    const next = share + (isUp ? stepShare : -stepShare);
    const isKept = await keeps(url, peer * next);
    if (isUp && !isKept) return share;
    if (!isUp && isKept) return next;
    share = next;
  }
  return isUp ? share : 0;
}

/** In one of two tries: another process may take the core away during the first. */
async function keeps(url: string, ratePerSecond: number): Promise<boolean> {
  return (await keepsOnce(url, ratePerSecond)) || keepsOnce(url, ratePerSecond);
}

async function keepsOnce(url: string, ratePerSecond: number): Promise<boolean> {
  const validator = await startValidator(1, 1);
  const run = { url, durationMs, listener: validator.offer };
  const measurement = await openRun(run, ratePerSecond, 'poisson', connections);
  await validator.end(5000);
  return Math.max(pointOf(measurement.lag, 'p50'), pointOf(latencyOf(measurement), 'p50')) <= mostMedianLagMs;
}

/** wrk, hey and h2load, where they are installed: a line each, with the share of it that the open engine reaches. */
async function installedPeers(url: string, openPerSecond: number): Promise<readonly Figure[]> {
  const address = `${url}${benchRequest.request.path}`;
  const commands = [
    ['wrk', ['-t1', `-c${connections}`, '-d3s', address], /Requests\/sec:\s+([\d.]+)/],
    ['hey', ['-z', '3s', '-c', String(connections), address], /Requests\/sec:\s+([\d.]+)/],
    ['h2load', ['--h1', '-t1', `-c${connections}`, '-D3', address], /finished in [\d.]+\w+, ([\d.]+) req\/s/],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, args, pattern] of commands) {
    try {
      const { stdout } = await promisify(execFile)(name, args, { timeout: 20_000 });
      const perSecond = Number(pattern.exec(stdout)?.[1]);
      const share = (openPerSecond / perSecond).toFixed(2);
      figures.push(figure(`  ${name}, answers a second`, `${perSecond.toFixed(0)} (the open engine reaches ${share})`));
    } catch {
      figures.push(figure(`  ${name}`, 'not installed'));
    }
  }
  return figures;
}
