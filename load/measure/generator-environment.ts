import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import type { GeneratorEnvironment } from '../../reports/load/generator-record.ts';

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

/** The share of the processor that the host of a virtual machine gave to others, since the look that returned it. */
type StolenSince = (readFile?: ReadText) => number;

/** Begins to watch what the host takes; undefined where the kernel does not say. */
export function stolenShare(readFile: ReadText = readStat): StolenSince | undefined {
  const before = processorTimes(readFile());
  if (before === undefined) return undefined;
  return (readNow = readStat) => {
    const now = processorTimes(readNow()) ?? before;
    return Math.max(0, now.stolen - before.stolen) / Math.max(1, now.all - before.all);
  };
}

type ReadText = () => string | undefined;

/** user, nice, system, idle, iowait, irq, softirq and steal; the rest is part of user and nice. */
function processorTimes(text: string | undefined): { readonly stolen: number; readonly all: number } | undefined {
  const [, numbers] = /^cpu +((?:\d+ ){7}\d+)/.exec(text ?? '') ?? [];
  const times = numbers?.split(' ').map(Number);
  const stolen = times?.at(-1);
  return times === undefined || stolen === undefined
    ? undefined
    : { stolen, all: times.reduce((sum, time) => sum + time, 0) };
}

function readStat(): string | undefined {
  return readIfThere('/proc/stat');
}

/** `200000 100000` is two cores; `max 100000` is no limit. */
function containerCores(text: string | undefined): number | undefined {
  const [, quota, period] = /^(\d+) ([1-9]\d*)/.exec(text ?? '') ?? [];
  return quota === undefined || period === undefined ? undefined : Number(quota) / Number(period);
}

/** Undefined without a container, or on an older kernel. */
function readCgroup(name: string): string | undefined {
  return readIfThere(`${cgroupFolder}${name}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
