import { z } from 'zod';
import { loadKinds } from '../kinds/kinds.ts';
import { dayMs, duration, share } from './fields.ts';
import { mixSchema } from './mix.ts';

const comparisons = (example: string) =>
  z.array(z.string({ error: `must be text, such as "${example}"` }), {
    error: `must be a list, such as ["${example}"]`,
  });

/** A profile as it is written, with no default filled in. */
export const profileSchema = z.strictObject(
  {
    question: z.string({ error: 'must be the question that a run answers, as text' }).min(1).max(500),
    load: z.strictObject(Object.fromEntries(loadKinds.map((kind) => [kind.name, kind.schema.optional()])), {
      error: 'must hold one kind of load, such as open: { rate: 50 }',
    }),
    duration: duration('must be a time from 100ms to 24h, such as 30s', 100, dayMs).optional(),
    warmUp: duration('must be a time from 0s to 10m, such as 3s', 0, 600_000).optional(),
    timeout: duration('must be a time from 10ms to 10m, such as 10s', 10, 600_000).optional(),
    operations: mixSchema.optional(),
    thresholds: comparisons('errors.rate < 0.1%').max(100).optional(),
    validate: share('must be a share of the answers, such as 100%').optional(),
    rateLimitedIsError: z.boolean({ error: 'must be true or false: whether a 429 counts among the errors' }).optional(),
    abort: comparisons('errors.rate > 50%').max(20).optional(),
  },
  { error: 'must be a map that begins with question and load' },
);

export type ProfileFile = z.infer<typeof profileSchema>;
