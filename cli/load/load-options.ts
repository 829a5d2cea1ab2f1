import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { mostWorkers, type Shard } from '../../load/schedule/arrivals.ts';
import { mostParts } from '../../reports/load/load-record.ts';
import {
  buildName,
  duration,
  keyValue,
  livePortOption,
  type OptionsOf,
  repeated,
  wholeNumber,
} from '../shared/option-values.ts';
import { addComparisonOptions } from './comparison-options.ts';
import { usualShards, word } from './kubernetes/kubernetes-options.ts';

export const profileOption = [
  '--profile <name|file>',
  'the name of a shipped profile, or a profile file',
  'smoke',
] as const;

/** Adds the argument and the options of `awc load`. */
export function addLoadOptions(command: Command) {
  const measured = command
    .enablePositionalOptions() // options behind an inner command are its own
    .argument('[target]', 'the target file; without one, the embedded reference in its own process')
    .option(...profileOption)
    .option('--seed <n>', 'reuse the schedule and inputs of an earlier run', wholeNumber(0, 2 ** 32 - 1))
    .option('--shard <i/n>', 'send only every n-th request of the schedule, starting with the i-th', shard)
    .option('--workers <n|auto>', 'spread an open load over threads; auto takes one for each core', workers)
    .option('--start-at <time>', 'when to start: a date-time, or seconds since the epoch', instant)
    .option('--gather <url>', 'the coordinator of the parts (awc load gather), instead of --start-at', coordinatorUrl)
    .option('--calibrate', 'measure local servers with a known latency model instead of the target')
    .option(
      '--out <dir>',
      'write load.json, and comparison.json if builds are compared, to this folder; several runs get a folder each',
    )
    .option('--fault <name>', 'embedded reference only: add this fault (awc list --faults); repeatable', repeated)
    .option(
      '--choice <key=value>',
      'embedded reference only: set this choice (awc list --choices); repeatable',
      keyValue,
    )
    .addOption(livePortOption())
    .option('--otlp <url>', 'push metrics to this collector, such as http://localhost:4318/v1/metrics', collectorUrl)
    .option('--rounds <n>', 'number of runs (default: 8 with --versus, otherwise 1)', wholeNumber(1, 500))
    .option('--baseline <path>', 'compare with an earlier build: its load.json, or a folder of several runs')
    .option('--versus <target>', 'compare with another deployment, measured alternately with this one');
  return addComparisonOptions(measured)
    .option('--kubernetes', 'run the load in pods of a Kubernetes cluster, with kubectl')
    .option(
      '--image <image>',
      'with --kubernetes: the image of awc, under a name that the nodes of the cluster can pull',
      word,
    )
    .option(
      '--shards <n>',
      `with --kubernetes: the number of pods that share the load (default: ${usualShards})`,
      wholeNumber(1, mostParts),
    )
    .option('--namespace <name>', 'with --kubernetes: the namespace (default: that of the context)', word)
    .option('--context <name>', 'with --kubernetes: the context of the kubeconfig (default: the current one)', word)
    .option('--print', 'with --kubernetes: print the objects instead, without values of the environment')
    .option('--history <file>', 'add the run to this file and show the trend')
    .option('--build <name>', 'the name of this build in the history', buildName);
}

export type LoadCommandOptions = OptionsOf<typeof addLoadOptions>;

/** Adds the options of `awc load gather`. */
export function addGatherOptions(command: Command) {
  return command
    .addOption(
      new Option('--shards <n>', 'the number of parts').argParser(wholeNumber(1, mostParts)).makeOptionMandatory(),
    )
    .addOption(
      new Option('--listen <host:port>', 'where to wait for the parts; port 0 is any free one')
        .argParser(listenAddress)
        .default({ host: '127.0.0.1', port: 0 }, '127.0.0.1:0'),
    )
    .addOption(
      new Option('--within <time>', 'how long the parts may take to register')
        .argParser(duration)
        .default(10 * 60_000, '10m'),
    )
    .option('--out <dir>', 'write load.json, and the record of each part, to this folder')
    .option('--json', 'print load.json after the report, as the last line');
}

export type GatherOptions = OptionsOf<typeof addGatherOptions>;

function shard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of && of <= mostParts) return { index, of };
  throw new InvalidArgumentError(`It must be I/N, such as 2/4, with I from 1 to N, and N up to ${mostParts}.`);
}

function workers(text: string): number | 'auto' {
  if (text === 'auto') return text;
  return wholeNumber(1, mostWorkers)(text);
}

function listenAddress(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  throw new InvalidArgumentError('It must be HOST:PORT, such as 0.0.0.0:8700.');
}

/** The address of a collector, as it is. */
function collectorUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError(
    'It must be http://HOST:PORT/v1/metrics; OTEL_EXPORTER_OTLP_HEADERS has the headers that it needs.',
  );
}

/** The origin of a coordinator. */
function coordinatorUrl(text: string): string {
  const { origin = '', href } = URL.parse(text) ?? {};
  if (/^https?:/.test(origin) && href === `${origin}/`) return origin;
  throw new InvalidArgumentError('It must be http://HOST:PORT.');
}

/** Milliseconds since the epoch. */
function instant(text: string): number {
  const ms = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw new InvalidArgumentError('It must be a date-time such as 2026-12-01T12:00:00Z, or seconds since the epoch.');
}
