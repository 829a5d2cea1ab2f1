import { z } from 'zod';

/** The options of `awc run`, by the names that commander gives them. */
export const runOptionsSchema = z.object({
  only: z.array(z.string()).default([]),
  seed: z.int().optional(),
  strict: z.boolean().default(false),
  allowIncomplete: z.boolean().default(false),
  suites: z.string().optional(),
  waivers: z.string().optional(),
  budget: z.number().optional(),
  bail: z.number().optional(),
  out: z.string().optional(),
  stream: z.string().optional(),
  history: z.string().optional(),
  build: z.string().default(''),
  live: z.int().optional(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
});
export type RunCommandOptions = z.infer<typeof runOptionsSchema>;
