import { z } from 'zod';

// Messages continue the name of the field: "waivers[0].owner must be …".

const text = (error: string, maxLength: number) =>
  z.string({ error }).trim().min(1, { error }).max(maxLength, { error });

const waiver = z.strictObject(
  {
    waives: text('must be the ID of a check or of a requirement, as a report or "awc list" shows it', 200),
    reason: text('must say in at most 1000 characters why the violation is there and stays for now', 1000),
    owner: text('must name who answers for the violation, in at most 200 characters', 200),
    link: z
      .url({ protocol: /^https?$/, error: 'must be the http or https address where the work on it is followed' })
      .max(2000, { error: 'must be an address of at most 2000 characters' }),
    expires: z.iso.date({ error: 'must be the last day on which it is in force, such as 2027-01-31' }),
  },
  { error: 'must hold waives, reason, owner, link and expires' },
);

/** A file of known violations, as it is written. */
export const waiverFileSchema = z.strictObject(
  { waivers: z.array(waiver, { error: 'must be a list of waivers, [] for none' }) },
  { error: 'must be a map that holds waivers' },
);

export type WaiverFile = z.infer<typeof waiverFileSchema>;
