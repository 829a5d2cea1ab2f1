import type { Choice } from '../variation.ts';

/** Every freedom that the specification leaves. */
export const choices: readonly Choice[] = [];
