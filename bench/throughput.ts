import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from '../load/compare/median.ts';
import { pointOf } from '../load/distribution.ts';
import { startValidator } from '../load/validator.ts';
import { type Figure, figure } from './figure.ts';
import { answersOf, bareAutocannon, benchRequest, closedRun, latencyOf, openRun } from './run-engines.ts';
import { startRawServer } from './start-raw-server.ts';

const rounds = 3;
const durationMs = 3000;
const connections = 50;
/** A rate is held without lag when requests leave and are answered within so many milliseconds, at p99. */
const mostMs = 50;

/** How much of one core an answer takes: our engines against autocannon, by turns. */
export async function throughput(): Promise<readonly Figure[]> {
  const server = await startRawServer('same');
  const { url } = server;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const validator = await startValidator(1, 1);
    ours.push(
      answersOf(await closedRun({ url, durationMs, listener: validator.offer }, connections)) / (durationMs / 1000),
    );
    await validator.end(5000);
    bare.push((await bareAutocannon(url, durationMs, connections)).perSecond);
  }
  const peer = median(bare);
  const ratio = median(ours) / peer;
  let highest = 0;
  for (const share of [0.6, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5]) {
    const measurement = await openRun({ url, durationMs }, peer * share);
    if (pointOf(latencyOf(measurement), 'p99') > mostMs || pointOf(measurement.lag, 'p99') > mostMs) break;
    highest = share;
  }
  const others = await installedPeers(url);
  await server.close();
  return [
    figure(
      'closed engine with validation, answers a second',
      `${median(ours).toFixed(0)}, ${ratio.toFixed(2)} of bare autocannon`,
      '≥ 0.95',
      ratio >= 0.95,
    ),
    figure(
      'open engine, highest rate without lag',
      `${(peer * highest).toFixed(0)}/s, ${highest.toFixed(2)} of bare autocannon`,
      '≥ 1.1',
      highest >= 1.1,
    ),
    ...others,
  ];
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
