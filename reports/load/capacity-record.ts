import { z } from 'zod';
import { exchangeRecordSchema } from '../record/record.ts';

const rate = z.number().positive();
const ms = z.number().min(0);

const searchResultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('found'),
    ratePerSecond: rate,
    brokeAtPerSecond: rate,
    interval: z.strictObject({ lowPerSecond: rate, highPerSecond: rate }),
  }),
  z.strictObject({
    kind: z.literal('at-least'),
    ratePerSecond: rate,
    limit: z.enum(['range', 'generator', 'unjudged']).meta({
      description: 'unjudged: higher rates passed too, but not every requirement was judged there.',
    }),
  }),
  z.strictObject({ kind: z.literal('below'), ratePerSecond: rate, limit: z.enum(['target', 'generator']) }),
]);

const unfinishedSchema = z
  .strictObject({ kind: z.literal('unfinished'), passedPerSecond: rate.optional(), failedPerSecond: rate.optional() })
  .meta({ description: 'A search in progress, or one that was interrupted: the rates between which it goes on.' });

const unjudgedSchema = z
  .strictObject({ kind: z.literal('unjudged') })
  .meta({ description: 'No rate is known to be correct, because a requirement was never judged and kept.' });

/** A search for the capacity: its trials and its result. */
export const capacitySchema = z
  .strictObject({
    trials: z.array(
      z.strictObject({
        ratePerSecond: rate,
        outcome: z.enum(['held', 'broke', 'generator']).meta({
          description:
            'held: every threshold passed. broke: one failed. generator: the generator could not keep the rate.',
        }),
        throughputPerSecond: z.number().min(0),
        p50Ms: ms,
        p95Ms: ms,
        p99Ms: ms,
        failed: z
          .array(z.string())
          .optional()
          .meta({ description: 'Why the trial did not pass, such as the thresholds that failed.' }),
        broke: z
          .array(z.string())
          .optional()
          .meta({ description: 'The requirements that answers of the trial broke.' }),
      }),
    ),
    result: z.discriminatedUnion('kind', [...searchResultSchema.options, unjudgedSchema, unfinishedSchema]).meta({
      description:
        'The highest rate at which every threshold passes, and no requirement breaks if the profile asks for that.',
    }),
    thresholds: searchResultSchema.optional().meta({
      description:
        'The highest rate at which every threshold passes, if a requirement breaks below it or was not judged there.',
    }),
    unjudged: z
      .array(z.strictObject({ requirement: z.string(), keptAtPerSecond: rate.optional(), remedy: z.string() }))
      .optional()
      .meta({
        description:
          'Requirements that trials exercise, but that were not judged and kept at the highest rate that passed, or above it. keptAtPerSecond: the highest rate at which they were.',
      }),
    broke: z
      .strictObject({
        requirement: z.string(),
        sentence: z.string(),
        ratePerSecond: rate,
        proof: z.strictObject({
          expected: z.string(),
          actual: z.string(),
          exchanges: z.array(exchangeRecordSchema).max(5),
        }),
      })
      .optional()
      .meta({ description: 'The requirement that broke at the lowest rate, if the profile asks for that.' }),
  })
  .meta({ id: 'Capacity' });

export type CapacityRecord = z.infer<typeof capacitySchema>;
