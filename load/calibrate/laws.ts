import { z } from 'zod';

/** How long a target of known law takes: always `baseMs`, and until the stall is over for whoever comes during one. */
export const lawSchema = z.object({
  name: z.string(),
  baseMs: z.number().positive(),
  /** Time repeats itself; 0 never stalls. */
  periodMs: z.number().min(0),
  stallFromMs: z.number().min(0),
  stallUntilMs: z.number().min(0),
});

export type Law = z.infer<typeof lawSchema>;

export const laws = {
  constant: { name: 'constant', baseMs: 5, periodMs: 0, stallFromMs: 0, stallUntilMs: 0 },
  /** Stalled 1 s of every 10. */
  stall: { name: 'stall', baseMs: 5, periodMs: 10_000, stallFromMs: 0, stallUntilMs: 1000 },
  /** Stalled from 0.3 to 0.9 s of every second: a load that waits for answers hardly ever sees it begin. */
  blindSpot: { name: 'blind spot', baseMs: 5, periodMs: 1000, stallFromMs: 300, stallUntilMs: 900 },
} as const satisfies Readonly<Record<string, Law>>;

/** What a request that comes at that instant waits, in milliseconds. */
export function lawLatencyMs({ baseMs, periodMs, stallFromMs, stallUntilMs }: Law, atMs: number): number {
  if (periodMs === 0) return baseMs;
  const phase = atMs % periodMs;
  return phase >= stallFromMs && phase < stallUntilMs ? stallUntilMs - phase + baseMs : baseMs;
}

/**
 * The latency under which that share of all requests stays when they come at any time: a share `stalled` of them waits for
 * something between nothing and the whole stall, evenly.
 */
export function trueLatencyMs({ baseMs, periodMs, stallFromMs, stallUntilMs }: Law, share: number): number {
  if (periodMs === 0) return baseMs;
  const stallMs = stallUntilMs - stallFromMs;
  const stalled = stallMs / periodMs;
  return baseMs + Math.max(0, stallMs * (1 - (1 - share) / stalled));
}
