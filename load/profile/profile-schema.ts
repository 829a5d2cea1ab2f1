import { z } from 'zod';
import { mostSeries } from '../../reports/load/server-record.ts';
import { mostWorkers } from '../schedule/arrivals.ts';
import { loadKinds } from '../kinds/kinds.ts';
import { dayMs, duration, share } from './fields.ts';
import { mixSchema } from './mix.ts';

const comparisons = (example: string) =>
  z
    .array(z.string({ error: `must be text, such as "${example}"` }), {
      error: `must be a list, such as ["${example}"]`,
    })
    .meta({ allowed: `a list, such as ["${example}"]` });

/** A profile as it is written, with no default filled in. */
export const profileSchema = z.strictObject(
  {
    question: z.string({ error: 'must be the question that a run answers, as text' }).min(1).max(500).meta({
      allowed: 'text, up to 500 characters',
      description: 'The question that a run answers. Reports begin with it.',
    }),
    load: z.strictObject(Object.fromEntries(loadKinds.map((kind) => [kind.name, kind.schema.optional()])), {
      error: 'must hold one kind of load, such as open: { rate: 50 }',
    }),
    duration: duration('must be a time from 100ms to 24h, such as 30s', 100, dayMs)
      .describe('How long the measured part takes. Only for loads whose own fields do not already set it.')
      .optional(),
    warmUp: duration('must be a time from 0s to 10m, such as 3s', 0, 600_000)
      .describe('How long the load sends requests before the measured part. They count in no figure; 0s by default.')
      .optional(),
    timeout: duration('must be a time from 10ms to 10m, such as 10s', 10, 600_000)
      .describe('How long an answer may take; 10s by default. A `wait` is added to it.')
      .optional(),
    operations: mixSchema.optional(),
    thresholds: comparisons('errors.rate < 0.1%').max(100).describe('What a run must satisfy, as below.').optional(),
    validate: share('must be a share of the answers, such as 100%')
      .describe('The share of the answers that is checked against the schemas and requirements; 100% by default.')
      .optional(),
    rateLimitedIsError: z
      .boolean({ error: 'must be true or false: whether a 429 counts among the errors' })
      .describe('Whether a 429 counts among the errors; false by default.')
      .optional(),
    server: z
      .strictObject(
        {
          metrics: z.url({ protocol: /^https?$/, error: 'must be a URL, such as http://127.0.0.1:9090/metrics' }).meta({
            allowed: 'a URL of OpenMetrics text',
            description:
              'The load reads this address once a second, without a key. The report shows the processor and the memory of the server beside the latencies.',
          }),
          series: z
            .array(z.string().regex(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,99}$/, { error: 'must be the name of a series' }), {
              error: 'must be a list of names, such as [http_requests_in_flight]',
            })
            .max(mostSeries - 2)
            .meta({
              allowed: `up to ${mostSeries - 2} names`,
              description:
                'More series for the report. It shows each series as the sum over its labels, and a counter as its increase per second.',
            })
            .optional(),
        },
        { error: 'must hold the URL of metrics, such as { metrics: http://127.0.0.1:9090/metrics }' },
      )
      .optional(),
    workers: z
      .union([z.int().min(1).max(mostWorkers), z.literal('auto')], {
        error: `must be a whole number from 1 to ${mostWorkers}, or auto`,
      })
      .meta({
        allowed: `a whole number from 1 to ${mostWorkers}, or \`auto\``,
        description:
          'The number of threads that share an open load; 1 by default. `auto` takes one for each core. `--workers` overrides it.',
      })
      .optional(),
    abort: comparisons('errors.rate > 50%')
      .max(20)
      .describe(
        'Conditions that end a run early. Each is a share or a time, as below, of the requests that ended in the last five seconds. It needs 50 of them, and for p99 and p999 as many as a threshold: 100 and 1,000.',
      )
      .optional(),
  },
  { error: 'must be a map that begins with question and load' },
);

export type ProfileFile = z.infer<typeof profileSchema>;
