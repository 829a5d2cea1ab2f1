import { readFile } from 'node:fs/promises';
import { type Figure, figure } from './setup/figure.ts';
import { heldMs, startRawServer } from './setup/start-raw-server.ts';
import { targetText } from './setup/bench-target.ts';
import { watchLoad } from './setup/watch-load.ts';

const wanted = 20_000;
const wantedMb = 1024;
/** What a process has open beside the connections of held requests. */
const otherFiles = 300;
const perSecond = 2000;
const { ceil } = Math;

/** The others are few: the question is what a held request costs. All are held before the measured part ends. */
const profileOf = (held: number) => `question: What do held requests take?
load: { longPoll: { held: ${held}, wait: ${heldMs / 1000}, rate: 10 } }
duration: ${ceil(held / perSecond) + 5}s
timeout: ${(2 * heldMs) / 1000}s
operations: { listModels: { weight: 1, limits: [2] } }
`;

/** The memory of `awc load` while a server on loopback holds its requests. Each takes a connection, so an open file. */
export async function longPolls(): Promise<readonly Figure[]> {
  const files = await mostOpenFiles();
  const held = Math.min(wanted, files - otherFiles);
  const server = await startRawServer('hold');
  const target = targetText(server.url, `limits: { maxRequestsPerSecond: ${perSecond} }\n`);
  const { record, mostMb } = await watchLoad(profileOf(held), { target });
  await server.close();
  const heldAtEnd = Number.parseInt(record.facts.find(({ name }) => name === 'held requests')?.value ?? '0', 10);
  const most = (wantedMb * held) / wanted;
  const limited = held < wanted ? `; ${files} open files are allowed here` : '';
  return [
    figure('requests held open at once', `${heldAtEnd} of ${held}`, `${wanted}${limited}`, heldAtEnd === held),
    figure(
      '  memory of the generator',
      `${mostMb.toFixed(0)} MB, ${((mostMb * 1000) / heldAtEnd).toFixed(1)} MB per 1,000`,
      `≤ ${most.toFixed(0)} MB`,
      mostMb <= most,
    ),
  ];
}

/** How many files a process of this user may open; Node raises its limit to that. */
async function mostOpenFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/^Max open files +\d+ +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
