import { get } from 'node:http';
import { median } from '../load/compare/statistics/median.ts';
import { theilSen } from '../load/compare/statistics/theil-sen.ts';
import { type Figure, figure } from './setup/figure.ts';
import { startRawServer } from './setup/start-raw-server.ts';
import { targetText } from './setup/bench-target.ts';
import { type Watched, watchLoad } from './setup/watch-load.ts';

const rounds = 2;
const ratePerSecond = 2000;
const mostRatio = 1.05;
/** The first samples are of the start, and the last ones of the end. */
const edges = 4;

const profile = `question: What does the live page cost?
load: { open: { rate: ${ratePerSecond} } }
duration: 20s
operations: { listModels: { weight: 1, limits: [2] } }
`;

/** `awc load` with and without a live page that one client follows, in turns at the same rate. */
export async function livePage(): Promise<readonly Figure[]> {
  const server = await startRawServer('same');
  const target = targetText(server.url);
  const plain: Watched[] = [];
  const live: Watched[] = [];
  let bytes = 0;
  const count = (more: number) => void (bytes += more);
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await watchLoad(profile, { target }));
    live.push(await watchLoad(profile, { target, args: ['--live', '0'], onProgress: followPage(count) }));
  }
  await server.close();
  const costs = { plain: senderUs(plain), live: senderUs(live) };
  const ratio = costs.live / costs.plain;
  return [
    figure(
      `live page at ${ratePerSecond}/s, CPU of the sending thread`,
      `× ${ratio.toFixed(2)} (${costs.live.toFixed(1)} and ${costs.plain.toFixed(1)} µs a request)`,
      `≤ ${mostRatio}`,
      ratio <= mostRatio,
    ),
    figure('  lag p99 with and without it', `${lagP99(live)} and ${lagP99(plain)} ms`),
    figure('  a client received', `${(bytes / 1024 / rounds).toFixed(0)} KB in a run`),
  ];
}

/** Follows the page as a browser does, as soon as the command prints its address. */
function followPage(count: (bytes: number) => void): (text: string) => void {
  return (text) => {
    const [, url] = /^Live page: (\S+)$/m.exec(text) ?? [];
    if (url === undefined) return;
    get(`${url}events`, (answer) => answer.on('data', (chunk: Buffer) => count(chunk.length)));
  };
}

/** CPU time of the sending thread for each request, in microseconds. */
function senderUs(all: readonly Watched[]): number {
  return median(
    all.map(({ senderCpuMs }) => (theilSen(senderCpuMs.slice(edges, -edges)).slope * 1000) / ratePerSecond),
  );
}

function lagP99(all: readonly Watched[]): string {
  return median(all.map(({ record }) => record.generator.lag?.p99 ?? Number.NaN)).toFixed(2);
}
