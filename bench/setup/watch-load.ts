import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';

const awc = new URL('../../cli/awc.mjs', import.meta.url).pathname;
const sampleMs = 1000;

/** What `awc load` took and found. */
export type Watched = {
  readonly record: LoadRecord;
  /** The memory of the command once a second, in megabytes. */
  readonly samplesMb: readonly number[];
  readonly mostMb: number;
};

/**
 * Runs `awc load` to its end, as a user does, and watches its memory. The reference, if there is no target, has its own
 * process. Linux only, because it reads /proc. `profile` and `target` are the texts of files.
 */
export async function watchLoad(profile: string, target?: string): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'awc-bench-'));
  const file = (name: string) => join(folder, name);
  await writeFile(file('profile.yaml'), profile);
  if (target !== undefined) await writeFile(file('target.yaml'), target);
  const at = target === undefined ? [] : [file('target.yaml')];
  const args = ['load', ...at, '--profile', file('profile.yaml'), '--out', folder];
  const child = spawn(process.execPath, [awc, ...args], { stdio: 'ignore' });
  const samplesMb: number[] = [];
  let mostMb = 0;
  const look = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    const megabytes = (key: string) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    if (megabytes('VmRSS') > 0) samplesMb.push(megabytes('VmRSS'));
    mostMb = Math.max(mostMb, megabytes('VmHWM'));
  };
  const timer = setInterval(() => void look(), sampleMs);
  await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  const record = loadRecordSchema.parse(JSON.parse(await readFile(file('load.json'), 'utf8')));
  await rm(folder, { recursive: true });
  return { record, samplesMb, mostMb };
}
