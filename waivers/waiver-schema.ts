import { z } from 'zod';

// Messages continue the name of the field: "waivers[0].owner must be …".

const text = (error: string, maxLength: number) =>
  z.string({ error }).trim().min(1, { error }).max(maxLength, { error });

const named = 'must be the ID of a check or requirement, as in a report or "awc list"';
const owner = text('must name the person or team responsible, in at most 200 characters', 200);
const expires = z.iso.date({ error: 'must be its last day, such as 2027-01-31' });

const waiver = z.strictObject(
  {
    waives: text(named, 200),
    reason: text('must give the reason for the violation, in at most 1000 characters', 1000),
    owner,
    link: z
      .url({ protocol: /^https?$/, error: 'must be the http or https URL of the issue' })
      .max(2000, { error: 'must be a URL of at most 2000 characters' }),
    expires,
  },
  { error: 'must hold waives, reason, owner, link and expires' },
);

const acceptedGap = z.strictObject(
  {
    notExercised: text(named, 200),
    reason: text('must give the reason why it is not exercised, in at most 1000 characters', 1000),
    owner,
    expires,
  },
  { error: 'must hold notExercised, reason, owner and expires' },
);

export const waiverFileSchema = z.strictObject(
  {
    waivers: z.array(waiver, { error: 'must be a list of waivers, [] for none' }),
    acceptedGaps: z.array(acceptedGap, { error: 'must be a list of accepted gaps' }).default([]),
  },
  { error: 'must be a map with the field waivers' },
);

export type WaiverFile = z.infer<typeof waiverFileSchema>;
