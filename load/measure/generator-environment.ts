import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { GeneratorEnvironment } from '../../reports/load/load-record.ts';

/** Where a cgroup, version 2, states its limits, as a container sees them. */
const cgroupFolder = '/sys/fs/cgroup/';
const bytesPerMb = 1024 * 1024;

/** The machine and the runtime that generate the load, with the limits of the container if there are any. */
export function generatorEnvironment(
  readFile: (name: string) => string | undefined = readCgroup,
): GeneratorEnvironment {
  const cores = containerCores(readFile('cpu.max'));
  const memoryBytes = Number(readFile('memory.max')?.trim() ?? Number.NaN);
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? 'unknown',
    memoryMb: Math.round(totalmem() / bytesPerMb),
    kernel: `${type()} ${release()}`,
    runtime: `Node ${process.versions.node}`,
    ...(cores === undefined ? {} : { containerCores: cores }),
    ...(memoryBytes > 0 ? { containerMemoryMb: Math.round(memoryBytes / bytesPerMb) } : {}),
  };
}

/** How long the container was denied the processor since it began, in milliseconds; undefined without a limit. */
export function throttledMs(readFile: (name: string) => string | undefined = readCgroup): number | undefined {
  const [, us] = /^throttled_usec (\d+)$/m.exec(readFile('cpu.stat') ?? '') ?? [];
  return us === undefined ? undefined : Number(us) / 1000;
}

/** `200000 100000` is two cores; `max 100000` is no limit. */
function containerCores(text: string | undefined): number | undefined {
  const [, quota, period] = /^(\d+) ([1-9]\d*)/.exec(text ?? '') ?? [];
  return quota === undefined || period === undefined ? undefined : Number(quota) / Number(period);
}

function readCgroup(name: string): string | undefined {
  try {
    return readFileSync(`${cgroupFolder}${name}`, 'utf8');
  } catch {
    return undefined; // no container, or an older kernel
  }
}
