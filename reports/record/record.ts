import { z } from 'zod';
import { operations } from '../../spec/requirement.ts';
import { verdictHistorySchema } from './verdict-history-record.ts';
import { acceptedGapSchema, gapRecordSchema, waiverRecordSchema, waiverSchema } from './waiver-record.ts';

/** The report's format. A change that a reader could trip over gets another number. */
export const recordFormat = 'awc-report/1';

/**
 * What became of a check. A violated must is `failed`, a violated should is `warned`. `blocked`: nothing was learned,
 * because the stage could not be set. `errored`: the target gave no usable answer, or the suite itself failed.
 */
export const checkVerdicts = ['passed', 'failed', 'warned', 'blocked', 'errored'] as const;

const levelSchema = z.enum(['must', 'should']);
const headersSchema = z.record(z.string(), z.string());

const bodySchema = z
  .strictObject({
    text: z.string().meta({ description: 'The beginning of the body, with keys replaced by their $VARIABLE.' }),
    bytes: z.int().min(0).meta({ description: 'The length of the whole body.' }),
    cut: z.boolean().meta({ description: 'Whether the body goes on after the text.' }),
    escaped: z
      .boolean()
      .meta({ description: String.raw`True for a body that is not UTF-8: its bytes are written as \xNN.` }),
    parts: z
      .array(z.strictObject({ path: z.string(), text: z.string(), cut: z.boolean() }))
      .optional()
      .meta({
        description: 'Of a JSON body that is cut: its pagination, and the items that expected and actual name.',
      }),
  })
  .meta({ id: 'Body' });

export const traceIdSchema = z.string().regex(/^[\da-f]{32}$/);

export const exchangeRecordSchema = z
  .strictObject({
    operation: z.enum(operations),
    caller: z.string().meta({ description: 'The principal, or what is wrong with the credential.' }),
    request: z.strictObject({
      method: z.enum(['GET', 'POST', 'DELETE']),
      url: z.string(),
      headers: headersSchema,
      body: bodySchema.optional(),
    }),
    sentAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    traceId: traceIdSchema
      .optional()
      .meta({ description: 'The trace that the request began, as the header traceparent says.' }),
    traceUrl: z.string().optional().meta({ description: 'Where links.trace of the target file shows it.' }),
    requestId: z.string().optional().meta({ description: 'The value of the requestIdHeader of the target file.' }),
    outcome: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('answered'), status: z.int(), headers: headersSchema, body: bodySchema }),
      z.strictObject({ kind: z.literal('failed'), failure: z.string(), message: z.string() }),
    ]),
  })
  .meta({ id: 'Exchange' });

const timeMsSchema = z.int().min(0);

const lanesRecordSchema = z
  .strictObject({
    requests: z
      .array(
        z.strictObject({
          caller: z.string(),
          request: z.string().meta({ description: 'The operation, and its wait.' }),
          shows: z.string().meta({ description: 'The message that it sends, or what its answer shows.' }),
          answer: z.string().meta({ description: 'The status of the answer, or why there is none.' }),
          sentMs: timeMsSchema,
          answeredMs: timeMsSchema,
        }),
      )
      .max(40),
    failsMs: timeMsSchema.meta({ description: 'The time of the first answer after which no order is possible.' }),
  })
  .meta({
    id: 'Lanes',
    description:
      'Overlapping requests that no order explains, in the order of sending. Times are milliseconds since the first was sent.',
  });

export const checkRecordSchema = z
  .strictObject({
    id: z.string(),
    requirement: z.string(),
    operation: z.enum(operations),
    level: levelSchema,
    title: z.string().meta({ description: "The id and the requirement's sentence." }),
    verdict: z.enum(checkVerdicts),
    reason: z.string().optional().meta({ description: 'Why it is blocked or errored.' }),
    fault: z
      .enum(['target', 'suite'])
      .optional()
      .meta({ description: 'Whose fault an errored check is. On a blocked check: the target stopped answering.' }),
    expected: z.string().optional(),
    actual: z.string().optional(),
    counterexample: z
      .strictObject({ seed: z.int(), path: z.string(), values: z.string() })
      .optional()
      .meta({ description: 'The shrunk values of a property, and what replays them.' }),
    exchanges: z
      .array(exchangeRecordSchema)
      .max(6)
      .meta({ description: 'What proves the verdict, oldest first; of more than six the first and the last three.' }),
    lanes: lanesRecordSchema.optional(),
    curl: z
      .string()
      .optional()
      .meta({ description: 'A line for a POSIX shell that sends the last of the exchanges again.' }),
    earlierRequests: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many requests the check sent before that of the curl line.' }),
    waived: waiverSchema.optional().meta({ description: 'The waiver that covers the violation, whose verdict stays.' }),
    accepted: acceptedGapSchema
      .optional()
      .meta({ description: 'The accepted gap that covers the blocked check, whose verdict stays.' }),
    durationMs: z.number().min(0),
  })
  .meta({ id: 'Check' });

const violatedSchema = z.strictObject({ requirement: z.string(), checks: z.array(z.string()) });

const causeSchema = violatedSchema
  .extend({
    consequences: z
      .array(violatedSchema)
      .meta({ description: 'What usually breaks together with it. Repair the cause first, then run again.' }),
  })
  .meta({ id: 'Cause' });

const requirementRecordSchema = z
  .strictObject({
    id: z.string(),
    section: z.string(),
    level: levelSchema,
    sentence: z.string(),
    verdict: z.enum([...checkVerdicts, 'waived', 'accepted', 'unobservable', 'unselected']).meta({
      description:
        'The worst verdict of its checks, waived or accepted if the worst of them is. unobservable: no caller can see it. unselected: the options of this run leave it out.',
    }),
    reason: z.string().optional(),
    checks: z.array(z.string()),
  })
  .meta({ id: 'Requirement' });

export const observationRecordSchema = z
  .strictObject({ point: z.string(), value: z.string(), exchange: exchangeRecordSchema.optional() })
  .meta({ id: 'Observation' });

const isCertain = z.boolean().meta({ description: 'False where no answer, or a 5xx, left open whether it happened.' });

export const usedUpSchema = z
  .strictObject({
    runId: z.string().meta({ description: 'What every idempotency key of the run holds.' }),
    deletions: z.array(z.strictObject({ organizationId: z.string(), dataSourceId: z.string(), certain: isCertain })),
    attachments: z.array(
      z.strictObject({ billingAccountId: z.string(), organizationId: z.string(), certain: isCertain }),
    ),
    messages: z.array(z.strictObject({ organizationId: z.string(), chatId: z.string(), count: z.int().min(1) })),
  })
  .meta({ id: 'UsedUp', description: 'What the run changed of what the target file declares.' });

export const recordSchema = z
  .strictObject({
    format: z.literal(recordFormat),
    suite: z.strictObject({ name: z.string(), version: z.string() }),
    spec: z.strictObject({
      title: z.string(),
      version: z.string(),
      digest: z.string().meta({ description: 'SHA-256 of the catalogue of requirements that was judged by.' }),
    }),
    target: z.strictObject({
      name: z.string(),
      baseUrl: z.string(),
      insecure: z.literal(true).optional().meta({ description: 'The certificate of the server was not verified.' }),
      embedded: z
        .strictObject({ faults: z.array(z.string()), choices: z.record(z.string(), z.string()) })
        .optional()
        .meta({ description: 'Only for the embedded reference: what was changed in it.' }),
    }),
    seed: z.int(),
    strict: z.boolean().meta({ description: 'Whether a violated should counts as failed.' }),
    only: z.array(z.string()).meta({ description: 'The patterns of check ids that were asked for; none means all.' }),
    startedAt: z.iso.datetime(),
    durationMs: z.number().min(0),
    requests: z.int().min(0),
    result: z
      .enum([
        'conformant',
        'conformant-with-gaps',
        'waived',
        'nonconformant',
        'incomplete',
        'no-verdict',
        'errored',
        'interrupted',
      ])
      .meta({
        description:
          'waived: musts are violated, and waivers cover every violation. conformant-with-gaps: musts were not exercised, and accepted gaps cover all of them. no-verdict: the target stopped answering before a violation of the specification was found.',
      }),
    summary: z.strictObject({
      passed: z.int(),
      failed: z.int(),
      warned: z.int(),
      blocked: z.int(),
      errored: z.int(),
      waived: z.int().meta({ description: 'Violated, and not counted as failed or warned.' }),
      accepted: z
        .int()
        .optional()
        .meta({ description: 'Not exercised, as accepted, and not counted as blocked. Absent if there are none.' }),
    }),
    checks: z.array(checkRecordSchema),
    causes: z
      .array(causeSchema)
      .optional()
      .meta({ description: 'The violated requirements that explain all others, the plainest first.' }),
    requirements: z.array(requirementRecordSchema),
    observations: z.array(observationRecordSchema),
    waivers: z.array(waiverRecordSchema),
    acceptedGaps: z.array(gapRecordSchema).optional(),
    usedUp: usedUpSchema.optional(),
    history: verdictHistorySchema.optional(),
    notes: z.array(z.string()).meta({ description: 'What the reader should know of the target file and the keys.' }),
    problems: z.array(z.string()).meta({ description: 'Faults of the suite outside of any check.' }),
  })
  .meta({ title: 'Report of a conformance run' });

/** A finished run. Every report is a pure function of it. */
export type RunRecord = z.infer<typeof recordSchema>;
export type LanesRecord = z.infer<typeof lanesRecordSchema>;
export type CheckRecord = z.infer<typeof checkRecordSchema>;
export type Cause = z.infer<typeof causeSchema>;
export type AcceptedGap = z.infer<typeof acceptedGapSchema>;
export type GapRecord = z.infer<typeof gapRecordSchema>;
export type Waiver = z.infer<typeof waiverSchema>;
export type UsedUpRecord = z.infer<typeof usedUpSchema>;
export type ChangesRecord = Omit<UsedUpRecord, 'runId'>;
export type WaiverRecord = z.infer<typeof waiverRecordSchema>;
export type CheckVerdict = CheckRecord['verdict'];
export type RequirementRecord = z.infer<typeof requirementRecordSchema>;
export type ExchangeRecord = z.infer<typeof exchangeRecordSchema>;
export type BodyRecord = z.infer<typeof bodySchema>;
export type ObservationRecord = z.infer<typeof observationRecordSchema>;
