import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../load/compare/statistics/median.ts';
import { pointOf } from '../load/measure/distribution.ts';
import { startValidator } from '../load/validate/validator.ts';
import { type Figure, figure } from './setup/figure.ts';
import { answersOf, bareAutocannon, benchRequest, closedRun, latencyOf, openRun } from './setup/run-engines.ts';
import { modelsPage } from './setup/models-page.ts';
import { startNginx } from './setup/start-nginx.ts';
import { startRawServer } from './setup/start-raw-server.ts';

const rounds = 5;
const durationMs = 2000;
const connections = 50;
/**
 * A generator that cannot keep a rate falls further behind with each request: by a quarter of a second in a run at 110% of
 * what it can send. The median shows that, and ignores short interruptions by other processes.
 */
const mostMedianLagMs = 10;
const { pathname } = new URL(benchRequest.request.path, 'http://localhost');
const firstShare = 1.1;
const stepShare = 0.05;
const leastShare = 0.5;
const mostShare = 2;

/**
 * The throughput of one core: our engines against autocannon in turns, so that each ratio compares neighbouring runs. The
 * server is nginx if it is installed, because a server that is slower than the generator would limit the result.
 */
export async function throughput(): Promise<readonly Figure[]> {
  const server = (await startNginx(pathname, modelsPage)) ?? {
    name: 'a Node server',
    ...(await startRawServer('same')),
  };
  const { name, url } = server;
  const closed: number[] = [];
  const open: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await bareAutocannon(url, durationMs, connections);
    const ours = await closedPerSecond(url);
    const after = await bareAutocannon(url, durationMs, connections);
    const peer = (before.perSecond + after.perSecond) / 2;
    closed.push(ours / peer);
    open.push(await highestShare(url, after.perSecond));
    bare.push(peer);
  }
  const others = await installedPeers(url);
  await server.close();
  return [
    figure(`bare autocannon, answers a second of ${name}`, `${median(bare).toFixed(0)} (median of ${rounds})`),
    ratioFigure('closed engine with validation', closed, 0.95),
    ratioFigure('open engine, highest rate without lag', open, 1.1),
    ...others,
  ];
}

function ratioFigure(name: string, ratios: readonly number[], least: number): Figure {
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const middle = median(ratios);
  return figure(name, `${middle.toFixed(2)} of bare autocannon (${range})`, `≥ ${least}`, middle >= least);
}

async function closedPerSecond(url: string): Promise<number> {
  const validator = await startValidator(1, 1);
  const measurement = await closedRun({ url, durationMs, listener: validator.offer }, connections);
  await validator.end(5000);
  return answersOf(measurement) / (durationMs / 1000);
}

/** The highest rate that our open engine keeps on as many connections, as a share of the peer's throughput, in steps; 0 when it keeps none. */
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

async function keeps(url: string, ratePerSecond: number): Promise<boolean> {
  const measurement = await openRun({ url, durationMs }, ratePerSecond, 'poisson', connections);
  return Math.max(pointOf(measurement.lag, 'p50'), pointOf(latencyOf(measurement), 'p50')) <= mostMedianLagMs;
}

/** wrk, hey and h2load, where they are installed: a line each, nothing to reach. */
async function installedPeers(url: string): Promise<readonly Figure[]> {
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
      figures.push(figure(`  ${name}, answers a second`, pattern.exec(stdout)?.[1] ?? 'unreadable'));
    } catch {
      figures.push(figure(`  ${name}`, 'not installed'));
    }
  }
  return figures;
}
