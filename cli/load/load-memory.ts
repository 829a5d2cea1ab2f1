import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8's own. */
const usualGrowth = 2;

/** By how many percent the old objects may grow until they are collected again. */
const heapGrowthPercent = 50;

/**
 * Keeps V8's space for new objects as it is, in this thread and in the one that validates. Called before the modules of a load
 * are read, which would double it to 32 MB: loads lose nothing measurable without that, except closed ones.
 */
export function holdNewSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Once it is known what the load is. Eight seconds after the heap grew, V8 would collect it to give memory back, and every request of
 * that time would wait for up to 100 ms. A paced load drops what reading its modules left, and collects old objects again soon.
 * A closed one, which asks for the maximum, gets V8's own settings back: it would lose a tenth of its throughput.
 */
export function settleMemory(isThroughputOnly: boolean): void {
  setFlagsFromString('--no-memory-reducer');
  if (isThroughputOnly) {
    setFlagsFromString(`--semi-space-growth-factor=${usualGrowth}`);
    return;
  }
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()'); // V8 computes how far the heap may grow only at a full collection
  setFlagsFromString('--no-expose-gc');
}
