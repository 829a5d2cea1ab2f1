import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { percentileRank } from '../../core/numbers.ts';
import { benchRequest } from './run-engines.ts';

const run = promisify(execFile);
const mostOutput = 64 * 1024 * 1024;
const graceMs = 30_000;

/** The load that a peer generates. Its connections share the rate. */
export type PeerRun = {
  readonly url: string;
  readonly durationMs: number;
  readonly connections: number;
  readonly ratePerSecond: number;
};

/** A load generator that may be installed. */
type Peer = {
  readonly name: string;
  /** Every latency that it measured, in milliseconds. */
  readonly latenciesMs: (run: PeerRun) => Promise<readonly number[]>;
};

/** wrk2 counts nothing while it calibrates itself. */
const wrk2CalibratesMs = 10_000;

/** Peers that can keep a rate. */
const peers: readonly Peer[] = [
  {
    name: 'wrk2',
    async latenciesMs({ url, durationMs, connections, ratePerSecond }) {
      const seconds = Math.ceil((wrk2CalibratesMs + durationMs) / 1000);
      const args = ['-t1', `-c${connections}`, `-d${seconds}s`, `-R${Math.round(ratePerSecond)}`, '--latency'];
      const { stdout } = await run('wrk2', [...args, url + benchRequest.request.path], limitsOf(seconds * 1000));
      return fromSpectrum(stdout);
    },
  },
  {
    name: 'k6',
    async latenciesMs({ url, durationMs, ratePerSecond }) {
      const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
      const [script, csv] = [join(folder, 'script.js'), join(folder, 'figures.csv')];
      await writeFile(script, k6Script(url + benchRequest.request.path, durationMs, ratePerSecond));
      await run('k6', ['run', '--quiet', '--no-summary', '--out', `csv=${csv}`, script], limitsOf(durationMs));
      const text = await readFile(csv, 'utf8');
      await rm(folder, { recursive: true });
      return column(text.replaceAll(/^(?!http_req_duration,).*$/gm, ''), ',', 2);
    },
  },
  {
    name: 'hey',
    async latenciesMs({ url, durationMs, connections, ratePerSecond }) {
      const perConnection = String(ratePerSecond / connections);
      const args = ['-z', `${durationMs / 1000}s`, '-c', String(connections), '-q', perConnection, '-o', 'csv'];
      const { stdout } = await run('hey', [...args, url + benchRequest.request.path], limitsOf(durationMs));
      return column(stdout, ',', 0).map((seconds) => seconds * 1000);
    },
  },
  {
    name: 'h2load',
    async latenciesMs({ url, durationMs, connections, ratePerSecond }) {
      const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
      const log = join(folder, 'log');
      const seconds = String(durationMs / 1000);
      const rate = `--rps=${ratePerSecond / connections}`;
      const args = ['--h1', '-t1', `-c${connections}`, '-D', seconds, rate, `--log-file=${log}`];
      await run('h2load', [...args, url + benchRequest.request.path], limitsOf(durationMs));
      const text = await readFile(log, 'utf8');
      await rm(folder, { recursive: true });
      return column(text, '\t', 2).map((us) => us / 1000);
    },
  },
];

function limitsOf(durationMs: number) {
  return { timeout: durationMs + graceMs, maxBuffer: mostOutput };
}

/** How long k6 may be slow before it has no virtual user left for the next request, in seconds. */
const k6ReserveSeconds = 2;

/** k6 takes whole numbers for a rate: here in ten seconds. */
function k6Script(address: string, durationMs: number, ratePerSecond: number): string {
  const users = Math.ceil(ratePerSecond * k6ReserveSeconds);
  const load = {
    executor: 'constant-arrival-rate',
    rate: Math.round(ratePerSecond * 10),
    timeUnit: '10s',
    duration: `${durationMs}ms`,
    preAllocatedVUs: users,
    maxVUs: users,
  };
  return `import http from 'k6/http';
export const options = ${JSON.stringify({ discardResponseBodies: true, scenarios: { load } })};
export default () => http.get(${JSON.stringify(address)});
`;
}

/** Latencies with the percentiles of wrk2: in its table, evenly spread between the latencies of two rows. */
function fromSpectrum(text: string): readonly number[] {
  const rows = [...text.matchAll(/^ +([\d.]+) +[01]\.\d+ +(\d+) +[\d.inf]+$/gm)];
  const latencies: number[] = [];
  let below = 0;
  for (const [, value, total] of rows) {
    const missing = Number(total) - latencies.length;
    for (let place = 1; place <= missing; place += 1) {
      latencies.push(below + ((Number(value) - below) * place) / missing);
    }
    below = Number(value);
  }
  return latencies;
}

function column(text: string, separator: string, index: number): readonly number[] {
  return text
    .split('\n')
    .map((line) => Number(line.split(separator)[index] || Number.NaN))
    .filter((value) => Number.isFinite(value));
}

/** Percentiles of one peer; undefined for one that is not installed. */
export type PeerLatencies = { readonly name: string; readonly at: ((share: number) => number) | undefined };

export async function peerLatencies(asked: PeerRun): Promise<readonly PeerLatencies[]> {
  const found: PeerLatencies[] = [];
  for (const { name, latenciesMs } of peers) {
    try {
      const sorted = (await latenciesMs(asked)).toSorted((one, other) => one - other);
      found.push({ name, at: (share) => sorted[percentileRank(share, sorted.length) - 1] ?? Number.NaN });
    } catch {
      found.push({ name, at: undefined });
    }
  }
  return found;
}
