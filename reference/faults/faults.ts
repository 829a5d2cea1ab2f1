import type { Fault } from '../variation.ts';

/** Every known way to be wrong. */
export const faults: readonly Fault[] = [];
