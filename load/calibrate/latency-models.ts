import { z } from 'zod';

/** How long a target takes to answer: always `baseMs`, plus the rest of the stall for a request that arrives during one. */
export const latencyModelSchema = z.object({
  name: z.string(),
  baseMs: z.number().positive(),
  /** Stalls repeat with this period; 0 means no stalls. */
  periodMs: z.number().min(0),
  stallFromMs: z.number().min(0),
  stallUntilMs: z.number().min(0),
});

export type LatencyModel = z.infer<typeof latencyModelSchema>;

/** How long a request takes by the model, and how much later the target answered it. */
export const answeredSchema = z.object({ modelMs: z.number(), lateMs: z.number() });

export type Answered = z.infer<typeof answeredSchema>;

export const latencyModels = {
  constant: { name: 'constant', baseMs: 5, periodMs: 0, stallFromMs: 0, stallUntilMs: 0 },
  /** Stalled 1 s of every 10. */
  stall: { name: 'stall', baseMs: 5, periodMs: 10_000, stallFromMs: 0, stallUntilMs: 1000 },
  /** Stalled from 0.3 to 0.9 s of every second: a load that waits for answers rarely sends during a stall. */
  blindSpot: { name: 'blind spot', baseMs: 5, periodMs: 1000, stallFromMs: 300, stallUntilMs: 900 },
} as const satisfies Readonly<Record<string, LatencyModel>>;

/** How long a request that arrives at this instant waits, in milliseconds. */
export function modelLatencyMs({ baseMs, periodMs, stallFromMs, stallUntilMs }: LatencyModel, atMs: number): number {
  if (periodMs === 0) return baseMs;
  const phase = atMs % periodMs;
  return phase >= stallFromMs && phase < stallUntilMs ? stallUntilMs - phase + baseMs : baseMs;
}

/**
 * The exact percentile for requests that arrive at any time: a share `stalled` of them waits between 0 and the whole
 * stall, evenly distributed.
 */
export function trueLatencyMs({ baseMs, periodMs, stallFromMs, stallUntilMs }: LatencyModel, share: number): number {
  if (periodMs === 0) return baseMs;
  const stallMs = stallUntilMs - stallFromMs;
  const stalled = stallMs / periodMs;
  return baseMs + Math.max(0, stallMs * (1 - (1 - share) / stalled));
}
