import { cpus } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stolenShare, throttledMs } from './generator-environment.ts';

/** What the machine and this process did while the load was generated. */
export type GeneratorUse = {
  /** The share of the time in which the event loop was busy; 1 is no room left. */
  readonly eventLoopUtilization: number;
  /** How late the event loop was, at the 99th percentile, in milliseconds. */
  readonly eventLoopDelayP99Ms: number;
  /** Cores that this process used. */
  readonly processCores: number;
  /** The share of all cores in use, by any process. */
  readonly machineShare: number;
  readonly memoryMb: number;
  /** How long the container was denied the processor, in milliseconds; absent without a limit. */
  readonly throttledMs?: number;
  /** The share of the processor that the host gave to other virtual machines; absent where the kernel does not say. */
  readonly stolenShare?: number;
};

/** How finely the delay is sampled, in milliseconds. */
const resolutionMs = 5;

/** The use of the generator since the watch began. */
export type GeneratorWatch = { readonly soFar: () => GeneratorUse; readonly end: () => GeneratorUse };

/** Watches from now on, and anew when the load starts: until then, a part only waits for the others. */
export function watchGenerator(startsInMs: number): GeneratorWatch {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let before = look();
  const start = setTimeout(
    () => {
      delay.reset();
      before = look();
    },
    Math.max(0, startsInMs),
  );

  function soFar(): GeneratorUse {
    const tookMs = Math.max(1, performance.now() - before.at);
    const { user, system } = process.cpuUsage(before.cpu);
    const machine = machineTimes();
    const throttled = throttledMs();
    const all = Math.max(1, machine.all - before.machine.all);
    return {
      eventLoopUtilization: performance.eventLoopUtilization(before.loop).utilization,
      // The measured value includes the sampling interval, which is not a delay.
      eventLoopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - resolutionMs),
      processCores: (user + system) / 1000 / tookMs,
      machineShare: Math.min(1, Math.max(0, 1 - (machine.idle - before.machine.idle) / all)),
      memoryMb: process.memoryUsage.rss() / 1024 / 1024,
      ...(throttled === undefined || before.throttled === undefined
        ? {}
        : { throttledMs: Math.max(0, throttled - before.throttled) }),
      ...(before.stolenSince === undefined ? {} : { stolenShare: before.stolenSince() }),
    };
  }

  return {
    soFar,
    end() {
      clearTimeout(start);
      delay.disable();
      return soFar();
    },
  };
}

/** What the use is counted from. */
function look() {
  return {
    at: performance.now(),
    loop: performance.eventLoopUtilization(),
    cpu: process.cpuUsage(),
    machine: machineTimes(),
    throttled: throttledMs(),
    stolenSince: stolenShare(),
  };
}

function machineTimes(): { readonly idle: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
}
