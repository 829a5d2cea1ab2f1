import { z } from 'zod';

/** The format of comparison.json. An incompatible change gets another number. */
export const comparisonRecordFormat = 'awc-load-comparison/1';

const share = z.number().min(0);
const trials = z.int().min(0);

const buildSchema = z
  .strictObject({
    target: z.strictObject({ name: z.string(), baseUrl: z.string() }),
    profile: z.string(),
    runs: trials,
    startedAt: z.iso.datetime().meta({ description: 'The start of the first run.' }),
  })
  .meta({ id: 'ComparedBuild' });

const basisSchema = z
  .strictObject({
    interval: z
      .strictObject({ low: z.number(), high: z.number() })
      .meta({ description: 'Of B / A. The intervals of all figures hold at once with the stated confidence.' }),
    atWorst: z.number().meta({
      description:
        'How many times worse B may be: the upper end of the interval of a latency, 1 / the lower end for throughput.',
    }),
    detectable: z
      .number()
      .nullable()
      .meta({ description: 'The smallest worsening that this comparison detects in 95 of 100 cases; null if none.' }),
    power: z.number().min(0).max(1).meta({
      description: 'The probability that an equal build would have been called no worse.',
    }),
    roundsToTell: z.int().optional().meta({
      description: 'Rounds after which an equal build is called no worse in 95 of 100 cases; absent if too many.',
    }),
  })
  .meta({ id: 'ComparisonBasis' });

const figureSchema = z
  .strictObject({
    figure: z.string(),
    unit: z.enum(['ms', 'per second']),
    a: z.number().nullable(),
    b: z.number().nullable(),
    ratio: z.number().nullable().meta({ description: 'B / A; null if it is not a number.' }),
    verdict: z
      .enum(['better', 'worse', 'no-worse', 'kept-up', 'cannot-tell'])
      .meta({ description: 'kept-up: both builds kept up with the load, so its schedule set their throughput.' }),
    shortfall: z
      .strictObject({
        missing: share,
        beyondChance: share.meta({ description: 'Without those that random arrivals can explain.' }),
      })
      .optional()
      .meta({
        description:
          'Of kept-up: the largest share, in any run, of the scheduled requests without a success within the measured time.',
      }),
    basis: basisSchema.optional().meta({
      description: 'The evidence; absent if there were too few data, or both builds kept up with the load.',
    }),
    sentence: z.string(),
  })
  .meta({ id: 'ComparedFigure' });

export const comparisonRecordSchema = z
  .strictObject({
    format: z.literal(comparisonRecordFormat),
    suite: z.strictObject({ name: z.string(), version: z.string() }),
    verdict: z.enum(['worse', 'cannot-tell', 'no-worse']),
    sentence: z.string(),
    margin: share.meta({ description: 'How much worse is still acceptable, as a share.' }),
    required: z.array(z.string()).meta({ description: 'Figures that must be shown to be no worse.' }),
    confidence: z.number().min(0).max(1).meta({ description: 'Of all intervals at once, and so of all verdicts.' }),
    a: buildSchema,
    b: buildSchema,
    unit: z
      .enum(['round', 'trial', 'stretch'])
      .optional()
      .meta({ description: 'What was repeated; absent if no run can be used.' }),
    figures: z.array(figureSchema),
    worse: z.array(z.string()).meta({ description: 'What else is worse about B, such as violations.' }),
    notes: z.array(z.string()),
  })
  .meta({ title: 'Comparison of two builds under load', id: comparisonRecordFormat });

/** A finished comparison. Every report of it is a pure function of this record. */
export type ComparisonRecord = z.infer<typeof comparisonRecordSchema>;
