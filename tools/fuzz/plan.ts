import { z } from 'zod';

/** What a worker has to do. */
export const planSchema = z.object({
  parser: z.string(),
  /** Determines every input. */
  seed: z.number(),
  /** The first input, and the one after the last. Inputs are counted from 1. */
  from: z.number(),
  to: z.number(),
  /** How long it may take, in milliseconds. */
  ms: z.number(),
  /** One number that the worker shares: the input that it reads. */
  ordinals: z.instanceof(SharedArrayBuffer),
});

export const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('finding'), ordinal: z.number(), problem: z.string(), input: z.string() }),
  /** `slowest`: the most time that an input took, as a multiple of what a genuine one of its size takes. */
  z.object({ kind: z.literal('end'), read: z.number(), refused: z.number(), slowest: z.number() }),
]);

export type Message = z.infer<typeof messageSchema>;
