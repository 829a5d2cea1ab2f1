import { z } from 'zod';

/** The share of values that does not exceed each percentile of a record, and the largest. */
export const sharesOfPoints = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, max: 1 } as const;

const count = z.int().min(0);
const ms = z.number().min(0);

/** Percentiles in milliseconds, and the whole distribution. */
export const distributionSchema = z
  .strictObject({
    count,
    min: ms,
    mean: ms,
    p50: ms,
    p75: ms,
    p90: ms,
    p95: ms,
    p99: ms,
    p999: ms,
    max: ms,
    hdr: z.string().meta({
      description:
        'The histogram in microseconds, in the compressed form of HdrHistogram (V2, base64): it merges exactly.',
    }),
  })
  .meta({ id: 'Distribution' });

export type Distribution = z.infer<typeof distributionSchema>;
