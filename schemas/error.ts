import { z } from 'zod';

/** Section 7: the body of every answer that is not a success. */
export const errorBodySchema = z.looseObject({
  error: z.looseObject({ title: z.string(), detail: z.string() }),
});

/** Section 7: the body of 429. `retryAfterMs` is in milliseconds and may have a fraction. */
export const rateLimitBodySchema = z.looseObject({
  error: z.looseObject({
    title: z.literal('RateLimitExceeded'),
    detail: z.string(),
    retryAfterMs: z.number().nonnegative(),
  }),
});
