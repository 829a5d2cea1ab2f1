import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { cpuMsIn } from './cpu-time.ts';

const awc = new URL('../../cli/awc.mjs', import.meta.url).pathname;
const sampleMs = 1000;

export type WatchOptions = {
  /** The text of a target file; without one, the reference, which has its own process. */
  readonly target?: string;
  readonly args?: readonly string[];
  /** Called with what the command prints for people while it runs. */
  readonly onProgress?: (text: string) => void;
};

/** What `awc load` took and found. The samples are a second apart. */
export type Watched = {
  readonly record: LoadRecord;
  readonly samplesMb: readonly number[];
  readonly mostMb: number;
  /** The CPU time of the thread that sends, since its start, in milliseconds. */
  readonly senderCpuMs: readonly number[];
};

/** Runs `awc load` to its end, as a user does, and watches it. Linux only, because it reads /proc. */
export async function watchLoad(
  profile: string,
  { target, args = [], onProgress = () => {} }: WatchOptions = {},
): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
  const file = (name: string) => join(folder, name);
  await writeFile(file('profile.yaml'), profile);
  if (target !== undefined) await writeFile(file('target.yaml'), target);
  const at = target === undefined ? [] : [file('target.yaml')];
  const command = ['load', ...at, '--profile', file('profile.yaml'), '--out', folder, ...args];
  const child = spawn(process.execPath, [awc, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.setEncoding('utf8').on('data', onProgress);
  const samplesMb: number[] = [];
  const senderCpuMs: number[] = [];
  let mostMb = 0;
  const look = async () => {
    const read = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '');
    const [status, stat] = await Promise.all([read('status'), read(`task/${child.pid}/stat`)]);
    const megabytes = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    if (megabytes('VmRSS') > 0) samplesMb.push(megabytes('VmRSS'));
    if (stat !== '') senderCpuMs.push(cpuMsIn(stat, 'own'));
    mostMb = Math.max(mostMb, megabytes('VmHWM'));
  };
  const timer = setInterval(() => void look(), sampleMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  const record = loadRecordSchema.parse(JSON.parse(await readFile(file('load.json'), 'utf8')));
  await rm(folder, { recursive: true });
  return { record, samplesMb, mostMb, senderCpuMs };
}
