import { readFile } from 'node:fs/promises';

/** Linux counts the time of processes in hundredths of a second. */
const tickMs = 10;

/** The CPU time of the child processes that have ended, in milliseconds; NaN beside Linux, because it reads /proc. */
export async function childrenCpuMs(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '');
  // The name of the process, in parentheses, may contain spaces. User and system time are the fields 16 and 17.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) * tickMs;
}
