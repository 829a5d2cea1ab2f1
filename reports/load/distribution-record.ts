import { z } from 'zod';

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
