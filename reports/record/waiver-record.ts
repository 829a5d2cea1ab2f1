import { z } from 'zod';

const covered = z
  .string()
  .meta({ description: 'The id of a check, or of a requirement: then it covers all of its checks.' });
const expires = z.iso.date().meta({ description: 'The last day, in UTC, on which it is in force.' });

const writtenAt = z
  .strictObject({ file: z.string(), line: z.int().min(1) })
  .optional()
  .meta({ description: 'Where the waiver file names it.' });

/** What a run adds; `description` says what each state means. */
function inRun(description: string) {
  return {
    state: z.enum(['applied', 'stale', 'expired', 'untested']).meta({ description }),
    checks: z.array(z.string()).meta({ description: 'What it covers in this run.' }),
  };
}

/** A known violation with an owner and an expiry date. */
export const waiverSchema = z
  .strictObject({ waives: covered, reason: z.string(), owner: z.string(), link: z.string(), expires, writtenAt })
  .meta({ id: 'Waiver' });

export const waiverRecordSchema = waiverSchema
  .extend(
    inRun(
      'applied: it covers a violation. stale: everything it covers passed. untested: nothing it covers is violated, but not all of it passed.',
    ),
  )
  .meta({ id: 'WaiverInRun' });

/** A check or requirement that a deployment is known not to exercise, with an owner and an expiry date. */
export const acceptedGapSchema = z
  .strictObject({ notExercised: covered, reason: z.string(), owner: z.string(), expires, writtenAt })
  .meta({ id: 'AcceptedGap' });

export const gapRecordSchema = acceptedGapSchema
  .extend(
    inRun(
      'applied: it covers a blocked check. stale: everything it covers was exercised, except for extended checks that are blocked. untested: no check that it covers reached a verdict.',
    ),
  )
  .meta({ id: 'AcceptedGapInRun' });
