import { availableParallelism, loadavg } from 'node:os';
import { accuracy } from './accuracy.ts';
import { capacity } from './capacity.ts';
import { comparison } from './comparison.ts';
import { type Figure, figureLine } from './setup/figure.ts';
import { honesty } from './honesty.ts';
import { livePage } from './live-page.ts';
import { longPolls } from './long-polls.ts';
import { memory } from './memory.ts';
import { pacing } from './pacing.ts';
import { protocols } from './protocols.ts';
import { shards } from './shards.ts';
import { soak } from './soak.ts';
import { throughput } from './throughput.ts';
import { validationCost } from './validation-cost.ts';
import { workers } from './workers.ts';

/** How long the memory is measured; the second argument changes it. In the first minute, the heap grows to its limit. */
const memorySeconds = 120;

const parts: Readonly<Record<string, (seconds: number) => Promise<readonly Figure[]>>> = {
  accuracy,
  pacing,
  throughput,
  protocols,
  validation: validationCost,
  honesty,
  capacity,
  shards,
  workers,
  live: livePage,
  comparison,
  'long-polls': longPolls,
  memory,
  soak,
};

/** Prints the figures of the load harness: `node bench/load.ts [part] [seconds]`. */
async function main([only, seconds]: readonly string[]): Promise<void> {
  const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`there is no part ${only}; there are ${Object.keys(parts).join(', ')}`);
  for (const [name, measure] of chosen) {
    process.stdout.write(`${name}, ${machine()}\n`);
    const figures = await measure(Number(seconds ?? memorySeconds));
    for (const found of figures) process.stdout.write(`${figureLine(found)}\n`);
  }
}

/** Other work on the machine distorts the figures, so its load is part of the output. */
function machine(): string {
  return `${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)}`;
}

await main(process.argv.slice(2));
