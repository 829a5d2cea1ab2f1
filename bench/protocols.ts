import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Route } from '../core/target.ts';
import { median } from '../load/compare/statistics/median.ts';
import { makeCertificates } from '../testing/network/certificates.ts';
import { childrenCpuMs, startCpuTime } from './setup/cpu-time.ts';
import { type Figure, figure } from './setup/figure.ts';
import { modelsPage } from './setup/models-page.ts';
import { createPinning } from './setup/pin.ts';
import { benchRequest, poolRun } from './setup/run-engines.ts';
import { startPageServer } from './setup/page-server.ts';

const rounds = 3;
const seconds = 2;
const connections = 50;
const { path } = benchRequest.request;

type Protocol = {
  readonly name: string;
  readonly isSecure: boolean;
  readonly http2: NonNullable<Route['http2']>;
  /** How h2load gets as many requests under way: over connections, or over streams of as many connections as ours. */
  readonly h2load: readonly string[];
};

const measured: readonly Protocol[] = [
  { name: 'HTTP/1.1', isSecure: false, http2: 'never', h2load: ['--h1', `-c${connections}`] },
  { name: 'HTTP/1.1 over TLS', isSecure: true, http2: 'never', h2load: ['--h1', `-c${connections}`] },
  { name: 'HTTP/2 over TLS', isSecure: true, http2: 'always', h2load: ['-c2', `-m${connections / 2}`] },
];

/** One round: answers a second, and microseconds of CPU time for each. */
type Ran = { readonly perSecond: number; readonly cpuUs: number };

/**
 * The pool of sockets of the open engine beside h2load, in turns on one core, against an nginx on another. The CPU time for
 * each answer is the better figure on a machine with other work.
 */
export async function protocols(): Promise<readonly Figure[]> {
  const pinning = await createPinning();
  await pinning?.toServerCore();
  const certificates = makeCertificates();
  const server = certificates && (await startPageServer(modelsPage, certificates.good));
  await pinning?.toGeneratorCore();
  if (certificates === undefined || server === undefined) {
    await pinning?.end();
    return [figure('TLS and HTTP/2', 'needs nginx and openssl')];
  }
  const tls = { ca: certificates.authority };
  const figures: Figure[] = [];
  for (const { name, isSecure, http2, h2load } of measured) {
    const url = isSecure ? server.secureUrl : server.url;
    const ours: Ran[] = [];
    const theirs: Ran[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await ownRound({ url, durationMs: seconds * 1000, tls, http2 }));
      theirs.push(...(await h2loadRound([...h2load, url + path])));
    }
    figures.push(...compared(name, ours, theirs));
  }
  await server.close();
  await pinning?.end();
  return figures;
}

async function ownRound(run: Parameters<typeof poolRun>[0]): Promise<Ran> {
  const cpu = startCpuTime();
  const answers = await poolRun(run, connections);
  return { perSecond: answers / seconds, cpuUs: cpu.usEach(answers) };
}

/** Empty where it is not installed. */
async function h2loadRound(args: readonly string[]): Promise<readonly Ran[]> {
  const before = await childrenCpuMs();
  const { stdout } = await promisify(execFile)('h2load', ['-t1', '-D', String(seconds), ...args]).catch(() => ({
    stdout: '',
  }));
  const answers = Number(/(\d+) succeeded/.exec(stdout)?.[1] ?? 0);
  if (answers === 0) return [];
  return [{ perSecond: answers / seconds, cpuUs: (1000 * ((await childrenCpuMs()) - before)) / answers }];
}

function compared(name: string, ours: readonly Ran[], theirs: readonly Ran[]): readonly Figure[] {
  const own = figure(`${name}, answers a second`, line(ours));
  if (theirs.length < ours.length) return [own, figure('  h2load', 'not installed')];
  const shares = ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? Number.NaN));
  const range = `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`;
  return [
    own,
    figure('  h2load', line(theirs)),
    figure('  share of h2load', `${median(shares).toFixed(2)} (${range})`),
  ];
}

function line(all: readonly Ran[]): string {
  const middle = (read: keyof Ran) => median(all.map((ran) => ran[read])).toFixed(0);
  return `${middle('perSecond')} (${middle('cpuUs')} µs of CPU each)`;
}
