import { z } from 'zod';
import { checkRecordSchema, observationRecordSchema, recordSchema } from './record.ts';
import { acceptedGapSchema, waiverSchema } from './waiver-record.ts';

/** The format of the stream. A change that a reader could trip over gets another number. */
export const eventFormat = 'awc-events/1';

const { suite, spec, target, seed, strict, only, startedAt, requests, ...rest } = recordSchema.shape;
const { result, summary, durationMs, waivers, acceptedGaps, usedUp, notes, problems } = rest;
const begun = { suite, spec, target, seed, strict, only, startedAt };
const ended = { result, summary, durationMs, requests, waivers, acceptedGaps, usedUp, notes, problems };

/** An event of a run in progress: one line of JSON each, `start` first and `end` last. */
export const runEventSchema = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('start'),
    format: z.literal(eventFormat),
    ...begun,
    /** The ids of the checks to run. */
    checks: z.array(z.string()),
    waivers: z.array(waiverSchema),
    acceptedGaps: z.array(acceptedGapSchema).optional(),
  }),
  z.strictObject({ event: z.literal('verdict'), check: checkRecordSchema, requests }),
  z.strictObject({ event: z.literal('observation'), observation: observationRecordSchema }),
  /** A stream without it broke off. */
  z.strictObject({ event: z.literal('end'), ...ended }),
]);

export type RunEvent = z.infer<typeof runEventSchema>;
