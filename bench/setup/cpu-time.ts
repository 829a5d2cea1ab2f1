import { readFile } from 'node:fs/promises';

/** Linux counts the time of processes and threads in hundredths of a second. */
const tickMs = 10;

/** The place of the user time in the line, after the name; the system time comes next. */
const places = { own: 11, children: 13 } as const;

/** The CPU time in a line of /proc/PID/stat, in milliseconds: its own, or that of the children that have ended. */
export function cpuMsIn(stat: string, whose: keyof typeof places): number {
  // The name of the process, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[places[whose]]) + Number(fields[places[whose] + 1])) * tickMs;
}

/** The CPU time of the child processes that have ended, in milliseconds; NaN where there is no /proc. */
export async function childrenCpuMs(): Promise<number> {
  return cpuMsIn(await readFile('/proc/self/stat', 'utf8').catch(() => ''), 'children');
}

/** The CPU time of this process, in all threads, from now on. */
export function startCpuTime() {
  const before = process.cpuUsage();
  return {
    /** Microseconds for each of so many answers. */
    usEach(answers: number): number {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / answers;
    },
  };
}
