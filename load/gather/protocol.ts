import { z } from 'zod';
import { mostParts } from '../../reports/load/load-record.ts';

/** A week, in milliseconds: no load takes longer. */
const longestLoadMs = 7 * 24 * 60 * 60 * 1000;

const shortText = z.string().max(2000);
const duration = z.number().min(0).max(longestLoadMs);

/** What a part says about its load. Parts of one load agree in all of it. */
export const registrationSchema = z.strictObject({
  suite: shortText,
  of: z.int().min(1).max(mostParts),
  seed: z.int(),
  profile: z.strictObject({ name: shortText, digest: shortText }),
  target: shortText,
  warmUpMs: duration,
  /** From the start of the measured part to the last answer, at most. */
  longestMs: duration,
});
export type Registration = z.infer<typeof registrationSchema>;

/** Why a part has no record. It is also the content of `failed.json`. */
export const failureSchema = z.strictObject({
  part: z.int().min(1),
  of: z.int().min(1),
  reason: shortText,
  exitCode: z.int().min(0).max(255),
});
export type PartFailure = z.infer<typeof failureSchema>;

const kinds = ['gathering', 'aligning', 'starting', 'stopping'] as const;
export type PhaseKind = (typeof kinds)[number];

/** What the parts do now: they meet, compare their clocks, start at an instant of the coordinator's clock, or stop. */
export const phaseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('gathering') }),
  z.object({ kind: z.literal('aligning') }),
  z.object({ kind: z.literal('starting'), startAt: z.number().min(0).max(8e15) }),
  z.object({ kind: z.literal('stopping'), reason: shortText }),
]);
export type Phase = z.infer<typeof phaseSchema>;

/** A part waits until the phase is another one than it knows. */
export const waitSchema = z.strictObject({ knows: z.enum(kinds) });
export const nothingSchema = z.strictObject({});
export const nowSchema = z.object({ now: z.number() });
export const refusalSchema = z.object({ reason: z.string() });

export const verbs = ['register', 'wait', 'clock', 'align', 'record', 'failed'] as const;
export type Verb = (typeof verbs)[number];
