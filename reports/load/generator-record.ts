import { z } from 'zod';
import { distributionSchema } from './distribution-record.ts';

const count = z.int().min(0);
const ms = z.number().min(0);
const share = z.number().min(0).max(1);

const environmentSchema = z
  .strictObject({
    cores: z.int().min(1),
    model: z.string(),
    memoryMb: count,
    kernel: z.string(),
    runtime: z.string(),
    containerCores: z.number().min(0).optional().meta({ description: 'The limit of the container.' }),
    containerMemoryMb: count.optional().meta({ description: 'The limit of the container.' }),
  })
  .meta({ id: 'GeneratorEnvironment' });

/** What generated the load, and whether it kept up. */
export const generatorSchema = z
  .strictObject({
    verdict: z.enum(['fit', 'bottleneck', 'held-back', 'apart']).meta({
      description:
        'fit: the figures are those of the target; bottleneck: it was too slow; held-back: limits.maxRequestsPerSecond dropped requests, or made the connections of a closed load wait; apart: the parts of the load did not start together.',
    }),
    reasons: z.array(z.string()).meta({ description: 'Why it was not fit.' }),
    lag: distributionSchema.optional().meta({ description: 'How late requests were sent; absent for a closed load.' }),
    eventLoopUtilization: share,
    eventLoopDelayP99Ms: ms,
    processCores: z.number().min(0),
    machineShare: share,
    memoryMb: z.number().min(0),
    sockets: z.strictObject({ cap: count, peak: count, waited: count }),
    closes: count.meta({ description: 'Connections closed unexpectedly.' }),
    latencyValid: z.boolean(),
    throttledMs: ms.optional().meta({ description: 'How long the container was denied the processor during the run.' }),
    stolenShare: share.optional().meta({
      description: 'The share of the processor that the host gave to other virtual machines (steal).',
    }),
    environments: z.array(environmentSchema).default([]).meta({ description: 'The machines: several after a merge.' }),
  })
  .meta({ id: 'Generator' });

export type GeneratorEnvironment = z.infer<typeof environmentSchema>;
