import type { Changes } from '../../load/measure/changed-slices.ts';

/** What the thread that pushes needs: the address, and headers of the collector, which may hold a key. */
export type OtlpCollector = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A load at an instant. */
export type ToOtlp = Changes & {
  /** The seconds before this one are over, in milliseconds of the measured time. */
  readonly toMs: number;
};

/** How a push ended: why the collector did not take it, or undefined. */
export type FromOtlp = { readonly failed: string | undefined };
