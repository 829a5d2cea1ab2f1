import { z } from 'zod';

/** A known violation with an owner and an expiry date. */
export const waiverSchema = z
  .strictObject({
    waives: z
      .string()
      .meta({ description: 'The id of a check, or of a requirement: then it covers all of its checks.' }),
    reason: z.string(),
    owner: z.string(),
    link: z.string(),
    expires: z.iso.date().meta({ description: 'The last day, in UTC, on which it is in force.' }),
  })
  .meta({ id: 'Waiver' });

export const waiverRecordSchema = waiverSchema
  .extend({
    state: z.enum(['applied', 'stale', 'expired', 'untested']).meta({
      description:
        'applied: it covers a violation. stale: everything it covers passed. untested: nothing it covers is violated, but not all of it passed.',
    }),
    checks: z.array(z.string()).meta({ description: 'What it covers in this run.' }),
  })
  .meta({ id: 'WaiverInRun' });

/** A check or requirement that a deployment is known not to exercise, with an owner and an expiry date. */
export const acceptedGapSchema = z
  .strictObject({
    notExercised: z
      .string()
      .meta({ description: 'The id of a check, or of a requirement: then it covers all of its checks.' }),
    reason: z.string(),
    owner: z.string(),
    expires: z.iso.date().meta({ description: 'The last day, in UTC, on which it is in force.' }),
  })
  .meta({ id: 'AcceptedGap' });

export const gapRecordSchema = acceptedGapSchema
  .extend({
    state: z.enum(['applied', 'stale', 'expired', 'untested']).meta({
      description:
        'applied: it covers a blocked check. stale: everything it covers was exercised. untested: no check that it covers reached a verdict.',
    }),
    checks: z.array(z.string()).meta({ description: 'What it covers in this run.' }),
  })
  .meta({ id: 'AcceptedGapInRun' });
