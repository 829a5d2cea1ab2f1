import { z } from 'zod';
import { parseDurationMs, parseShare } from './quantity.ts';

// Messages continue the name of the field: "load.open.rate must be …".

const count = (error: string, most: number) => z.int({ error }).min(1, { error }).max(most, { error });
const rate = (error = 'must be a number of requests a second, over 0 and at most 100000') =>
  z.number({ error }).positive({ error }).max(100_000, { error });

function duration(error: string, least: number, most: number) {
  return z.string({ error }).refine(
    (text) => {
      const ms = parseDurationMs(text);
      return ms !== undefined && ms >= least && ms <= most;
    },
    { error },
  );
}

function share(error: string) {
  return z.string({ error }).refine((text) => (parseShare(text) ?? 2) <= 1, { error });
}

const dayMs = 86_400_000;
const flag = (error: string) => z.boolean({ error }).optional();
const sockets = count('must be a whole number of sockets from 1 to 20000', 20_000).optional();

const closed = z.strictObject(
  { connections: count('must be a whole number of connections from 1 to 5000', 5000) },
  { error: 'must hold connections, such as { connections: 50 }' },
);

const stage = z.strictObject(
  {
    rate: rate(),
    over: duration('must be a time from 0s to 24h, such as 30s', 0, dayMs),
  },
  { error: 'must hold a rate and the time over which it is reached, such as { rate: 100, over: 30s }' },
);

const open = z.strictObject(
  {
    rate: rate(),
    arrivals: z.enum(['poisson', 'constant'], { error: 'must be poisson or constant' }).optional(),
    pacing: z.enum(['timer', 'precise'], { error: 'must be timer or precise' }).optional(),
    sockets,
    stages: z.array(stage, { error: 'must be a list of stages, such as [{ rate: 100, over: 30s }]' }).min(1).optional(),
  },
  { error: 'must hold a rate, such as { rate: 50 }' },
);

const capacity = z.strictObject(
  {
    from: rate(),
    to: rate(),
    trial: duration('must be a time from 1s to 10m, such as 5s', 1000, 600_000),
    repeats: count('must be a whole number from 1 to 20', 20),
    precision: share('must be a share of the rate, such as 5%'),
    sockets,
  },
  { error: 'must hold from, to, trial, repeats and precision' },
);

const rateLimit = z.strictObject(
  {
    connections: count('must be a whole number of connections from 1 to 500', 500),
    windows: count('must be a whole number of windows from 2 to 50', 50),
    longestWindow: duration('must be a time from 100ms to 1h, such as 60s', 100, 3_600_000),
  },
  { error: 'must hold connections, windows and longestWindow' },
);

const contention = z.strictObject(
  {
    writers: count('must be a whole number of writers from 1 to 1000', 1000),
    chats: count('must be a whole number of chats from 1 to 100', 100),
    storm: count('must be a whole number of requests from 2 to 2000', 2000),
  },
  { error: 'must hold writers, chats and storm' },
);

const longPoll = z.strictObject(
  {
    held: count('must be a whole number of requests from 1 to 10000', 10_000),
    wait: count('must be a whole number of seconds from 1 to 300', 300),
    rate: rate(),
  },
  { error: 'must hold held, wait and rate' },
);

const weight = z
  .number({ error: 'must be a number from 0 to 1000' })
  .min(0, { error: 'must be a number from 0 to 1000' })
  .max(1000, { error: 'must be a number from 0 to 1000' });

const list = z.strictObject(
  {
    weight,
    limits: z
      .array(count('must be a whole number from 1 to 100', 100), {
        error: 'must be a list of limits, such as [10, 50]',
      })
      .min(1, { error: 'must hold at least one limit' })
      .optional(),
  },
  { error: 'must hold a weight, such as { weight: 3, limits: [10, 50, 100] }' },
);

const operations = z.strictObject(
  {
    listModels: list.optional(),
    listDataSources: list.optional(),
    getBillingAccount: z.strictObject({ weight }, { error: 'must hold a weight, such as { weight: 1 }' }).optional(),
    sendMessage: z
      .strictObject(
        {
          weight,
          wait: count('must be a whole number of seconds from 1 to 300', 300).optional(),
          prompt: z.enum(['quick', 'slow'], { error: 'must be quick or slow' }).optional(),
        },
        { error: 'must hold a weight, such as { weight: 1, wait: 30 }' },
      )
      .optional(),
  },
  { error: 'must map operations to weights, such as listModels: { weight: 3 }' },
);

const comparisons = (example: string) =>
  z.array(z.string({ error: `must be text, such as "${example}"` }), {
    error: `must be a list, such as ["${example}"]`,
  });

/** A profile as it is written, with no default filled in. */
export const profileFileSchema = z.strictObject(
  {
    question: z.string({ error: 'must be the question that a run answers, as text' }).min(1).max(500),
    load: z.strictObject(
      {
        closed: closed.optional(),
        open: open.optional(),
        capacity: capacity.optional(),
        rateLimit: rateLimit.optional(),
        contention: contention.optional(),
        longPoll: longPoll.optional(),
      },
      { error: 'must hold one kind of load, such as open: { rate: 50 }' },
    ),
    duration: duration('must be a time from 100ms to 24h, such as 30s', 100, dayMs).optional(),
    warmUp: duration('must be a time from 0s to 10m, such as 3s', 0, 600_000).optional(),
    timeout: duration('must be a time from 10ms to 10m, such as 10s', 10, 600_000).optional(),
    operations: operations.optional(),
    thresholds: comparisons('errors.rate < 0.1%').max(100).optional(),
    validate: share('must be a share of the answers, such as 100%').optional(),
    rateLimitedIsError: flag('must be true or false: whether a 429 counts among the errors'),
    abort: comparisons('errors.rate > 50%').max(20).optional(),
  },
  { error: 'must be a map that begins with question and load' },
);

export type ProfileFile = z.infer<typeof profileFileSchema>;
