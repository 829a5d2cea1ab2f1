import { z } from 'zod';
import { comparisonOptionsSchema } from './comparison-options.ts';
import { kubernetesOptionsSchema } from './kubernetes/kubernetes-options.ts';

const shardSchema = z.object({ index: z.int(), of: z.int() });

/** The options of `awc load`, by the names that commander gives them. */
export const loadOptionsSchema = comparisonOptionsSchema.extend(kubernetesOptionsSchema.shape).extend({
  profile: z.string(),
  seed: z.int().optional(),
  shard: shardSchema.default({ index: 1, of: 1 }),
  workers: z.union([z.int(), z.literal('auto')]).optional(),
  startAt: z.number().optional(),
  gather: z.string().optional(),
  calibrate: z.boolean().default(false),
  out: z.string().optional(),
  fault: z.array(z.string()).default([]),
  choice: z.record(z.string(), z.string()).default({}),
  rounds: z.int().optional(),
  baseline: z.string().optional(),
  versus: z.string().optional(),
  history: z.string().optional(),
  build: z.string().default(''),
  live: z.int().optional(),
  otlp: z.string().optional(),
});
export type LoadCommandOptions = z.infer<typeof loadOptionsSchema>;

/** The options of `awc load gather`. */
export const gatherSchema = z.object({
  shards: z.int(),
  listen: z.object({ host: z.string(), port: z.int() }),
  within: z.number(),
  out: z.string().optional(),
  json: z.boolean().default(false),
});
export type GatherOptions = z.infer<typeof gatherSchema>;
