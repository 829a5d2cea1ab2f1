import { z } from 'zod';
import { operations } from '../../spec/requirement.ts';
import { exchangeRecordSchema, traceIdSchema, usedUpSchema } from '../record/record.ts';
import { capacitySchema } from './capacity-record.ts';
import { distributionSchema } from './distribution-record.ts';
import { generatorSchema } from './generator-record.ts';
import { serverSchema } from './server-record.ts';

/** The format of load.json. An incompatible change gets another number. */
export const loadRecordFormat = 'awc-load/1';

const count = z.int().min(0);
const ms = z.number().min(0);
const share = z.number().min(0).max(1);

/** The parts of the time from the sending of a request to the end of its answer, in their order. */
export const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'receive'] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The classes of outcomes, from best to worst. */
export const outcomeClasses = ['ok', 'rateLimited', 'conflict', 'refused', 'failed', 'timeout', 'transport'] as const;
export type OutcomeClass = (typeof outcomeClasses)[number];
const outcomeClassSchema = z.enum(outcomeClasses);

const outcomeSchema = z
  .strictObject({
    outcome: z.string().meta({ description: 'The status, or why there was no answer.' }),
    class: outcomeClassSchema,
    count,
    latency: distributionSchema.meta({ description: 'From the scheduled time.' }),
    service: distributionSchema.meta({ description: 'From the actual sending.' }),
  })
  .meta({ id: 'Outcome' });

const operationSchema = z
  .strictObject({
    operation: z.enum(operations),
    sent: count,
    withheld: count.meta({ description: 'Scheduled, but dropped because no chat was idle.' }),
    capped: count.default(0).meta({
      description: 'Scheduled, but dropped because of limits.maxRequestsPerSecond of the target file.',
    }),
    broken: count.default(0).meta({ description: 'Answers that violate a requirement.' }),
    arrived: count.optional().meta({
      description:
        'Successful answers that arrived within the measured time, also to requests of the warm-up; absent in older records.',
    }),
    outcomes: z.array(outcomeSchema),
  })
  .meta({ id: 'LoadOperation' });

const slowSchema = outcomeSchema
  .pick({ outcome: true, class: true })
  .extend({
    operation: z.enum(operations),
    atMs: ms.max(1e12).meta({ description: 'The scheduled time, from the start of the measured part.' }),
    latencyMs: ms.max(1e12).meta({ description: 'From the scheduled time.' }),
    serviceMs: ms.meta({ description: 'From the actual sending.' }),
    traceId: traceIdSchema.meta({ description: 'The trace that the request began, as the header traceparent says.' }),
    traceUrl: z.string().optional().meta({ description: 'Where links.trace of the target file shows it.' }),
  })
  .meta({ id: 'SlowRequest' });

const stepSchema = operationSchema
  .extend({
    name: z.string(),
    slowest: z.array(slowSchema).default([]).meta({
      description: 'A few, the slowest first: the time is that of the step, the trace that of its last request.',
    }),
    withheld: count.meta({ description: 'Skipped, because what it refers to was not there, or no chat was idle.' }),
  })
  .meta({ id: 'LoadStep' });

const thresholdSchema = z
  .strictObject({
    text: z.string(),
    actual: z
      .number()
      .optional()
      .meta({ description: 'In milliseconds, a share of 1, a number a second, or a count.' }),
    limit: z.number().min(0).optional().meta({ description: 'In the same unit.' }),
    verdict: z.enum(['held', 'missed', 'unjudged']),
    reason: z.string().optional(),
  })
  .meta({ id: 'Threshold' });

const violationSchema = z
  .strictObject({
    rule: z.string().meta({ description: "A requirement's id, or the name of a schema." }),
    sentence: z.string(),
    operation: z.enum(operations),
    count: count.meta({ description: 'Answers that violate it.' }),
    findings: count.default(0).meta({ description: 'What is wrong with them: at least one finding for each answer.' }),
    proofs: z
      .array(z.strictObject({ expected: z.string(), actual: z.string(), exchange: exchangeRecordSchema }))
      .max(3),
  })
  .meta({ id: 'LoadViolation' });

const sliceSchema = z
  .strictObject({
    due: count,
    waiting: count
      .optional()
      .meta({ description: 'Requests of this interval that were not over at the end of the run.' }),
    arrived: count.optional().meta({
      description:
        'Successful answers that arrived in this interval and within the measured time; absent in older records.',
    }),
    classes: z.partialRecord(outcomeClassSchema, count),
    lagMaxUs: count,
    latency: z.partialRecord(z.enum(operations), z.array(z.tuple([count, count]))).meta({
      description: 'By operation: microseconds to three digits, and how often; successes and timeouts.',
    }),
  })
  .meta({ id: 'Slice' });

const factSchema = z
  .strictObject({
    name: z.string(),
    value: z.string(),
    verdict: z.enum(['good', 'bad', 'unclear']).optional(),
    figure: z
      .strictObject({ text: z.string(), unit: z.string() })
      .optional()
      .meta({ description: 'The answer to the question of the profile, as a word or a number.' }),
  })
  .meta({ id: 'Fact' });

/** The most parts of one load. */
export const mostParts = 1000;

/** The clock of a part of a load. */
export const partClockSchema = z
  .strictObject({
    offsetMs: z
      .number()
      .min(-1e13)
      .max(1e13)
      .meta({ description: 'How far the clock of the coordinator is ahead, in milliseconds.' }),
    uncertaintyMs: z.number().min(0).max(1e9).meta({ description: 'How wrong this figure can be.' }),
  })
  .meta({ id: 'PartClock' });
export type PartClock = z.infer<typeof partClockSchema>;

export const loadRecordSchema = z
  .strictObject({
    format: z.literal(loadRecordFormat),
    suite: z.strictObject({ name: z.string(), version: z.string() }),
    target: z.strictObject({ name: z.string(), baseUrl: z.string(), embedded: z.boolean() }),
    profile: z.strictObject({
      name: z.string(),
      question: z.string(),
      kind: z.string().regex(/^[a-z][A-Za-z]{0,39}$/),
      digest: z.string().meta({ description: 'SHA-256 of the profile with every default filled in.' }),
      plannedMs: ms,
      rateLimitedIsError: z.boolean(),
      thresholds: z.array(z.string()),
    }),
    seed: z.int(),
    shards: z.strictObject({
      of: z.int().min(1).max(mostParts),
      indexes: z.array(z.int().min(1)).max(mostParts),
      clock: partClockSchema.optional().meta({ description: 'Of one part: its clock beside that of its coordinator.' }),
    }),
    startedAt: z.iso.datetime(),
    measuredMs: ms.meta({ description: 'How long the measured part took, from its first instant to its last.' }),
    result: z.enum(['held', 'missed', 'unjudged', 'aborted', 'interrupted']),
    endedBy: z.string().optional().meta({ description: 'Of an aborted run: the condition that was true.' }),
    sentence: z.string(),
    offeredPerSecond: z
      .number()
      .min(0)
      .optional()
      .meta({ description: 'The scheduled rate; absent where the answers set the pace.' }),
    unserved: z
      .array(z.enum(operations))
      .default([])
      .meta({ description: 'Operations that were asked for, and of which no request succeeded: there is no verdict.' }),
    throughputPerSecond: z.number().min(0).meta({
      description: 'Successful answers a second that arrived within the measured time.',
    }),
    warmUp: count,
    unfinished: count.meta({ description: 'Still open at the end of the run.' }),
    operations: z.array(operationSchema),
    steps: z.array(stepSchema).default([]).meta({
      description:
        'Of a flow: first the whole of it, named flow, from the arrival of a user to the end of the last step; then each step.',
    }),
    phases: z.partialRecord(z.enum(phaseNames), distributionSchema).default({}).meta({
      description:
        'Where the time of answers in a load that is not closed went: name resolution, connection and TLS where a connection was opened, then until the first byte (over HTTP/2 until the header), and until the last.',
    }),
    slowest: z.array(slowSchema).default([]).meta({ description: 'Of each operation a few, the slowest first.' }),
    thresholds: z.array(thresholdSchema),
    validation: z.strictObject({
      share,
      answers: count,
      checked: count,
      repeated: count,
      skipped: count,
      broken: count.meta({ description: 'Answers that violate a requirement.' }),
      findings: count
        .default(0)
        .meta({ description: 'What is wrong with them: at least one finding for each answer.' }),
      warmUp: z
        .strictObject({ checked: count, broken: count })
        .default({ checked: 0, broken: 0 })
        .meta({ description: 'Answers of the warm-up, which count in no other figure.' }),
    }),
    violations: z.array(violationSchema),
    generator: generatorSchema,
    sliceMs: z.number().positive(),
    slices: z.array(sliceSchema),
    facts: z.array(factSchema).meta({ description: 'The answers to the question of the profile.' }),
    capacity: capacitySchema.optional().meta({
      description: 'Only in a search for the capacity; all other fields then describe the last trial that passed.',
    }),
    server: serverSchema.optional().meta({ description: 'Only if the profile names the metrics of the server.' }),
    usedUp: usedUpSchema
      .omit({ runId: true })
      .default({ deletions: [], attachments: [], messages: [] })
      .meta({ description: 'What the load changed of what the target file declares, also in the warm-up.' }),
    notes: z.array(z.string()),
  })
  .meta({ title: 'Report of a load run', id: loadRecordFormat });

/** A finished load run. Every report is a pure function of it, and the records of shards merge into one. */
export type LoadRecord = z.infer<typeof loadRecordSchema>;
export type LoadOperationRecord = LoadRecord['operations'][number];
export type LoadStepRecord = LoadRecord['steps'][number];
export type LoadOutcomeRecord = LoadOperationRecord['outcomes'][number];
export type LoadThresholdRecord = LoadRecord['thresholds'][number];
export type LoadSlice = LoadRecord['slices'][number];

/** Successes that count as throughput of an interval. In older records it is those that were scheduled in it. */
export function arrivedIn({ arrived, classes }: Pick<LoadSlice, 'arrived' | 'classes'>): number {
  return arrived ?? classes.ok ?? 0;
}

export type Fact = z.infer<typeof factSchema>;
