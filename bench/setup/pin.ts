import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Moves this process, with its threads, to some cores. What it starts afterwards begins on the same ones. */
export type Pinning = {
  readonly toServerCore: () => Promise<void>;
  readonly toGeneratorCore: () => Promise<void>;
  /** Back to all cores that it had. */
  readonly end: () => Promise<void>;
};

/** Undefined without `taskset` and a second core. */
export async function createPinning(): Promise<Pinning | undefined> {
  const all = await taskset('-cp', String(process.pid));
  const [server, generator] = coresIn(all);
  if (server === undefined || generator === undefined) return undefined;
  const to = (cores: readonly number[]) => async () => {
    await taskset('-acp', cores.join(','), String(process.pid));
  };
  return { toServerCore: to([server]), toGeneratorCore: to([generator]), end: to(coresIn(all)) };
}

/** Empty if it is not installed. */
async function taskset(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('taskset', args).catch(() => ({ stdout: '' }));
  return stdout;
}

/** The cores at the end of what `taskset` prints, such as `0-2,5`. */
function coresIn(text: string): readonly number[] {
  const [list = ''] = /[\d,-]+\s*$/.exec(text) ?? [];
  return list
    .split(',')
    .filter((range) => range.trim() !== '')
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, place) => from + place);
    });
}
