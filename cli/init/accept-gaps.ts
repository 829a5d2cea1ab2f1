import type { Context } from '../shared/context.ts';
import { readRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';
import { gapsOf, gapsText } from './gaps-text.ts';

/** How long a gap is accepted if no date is given, in milliseconds. */
const usualMs = 90 * 24 * 3600 * 1000;

type GapOptions = { readonly owner?: string | undefined; readonly expires?: string | undefined };

/** Writes a waiver file that accepts what the run of a report did not exercise. */
export async function acceptGaps(
  report: string,
  path: string,
  { owner, expires = new Date(Date.now() + usualMs).toISOString().slice(0, 10) }: GapOptions,
  { out }: Pick<Context, 'out'>,
): Promise<void> {
  if (owner === undefined) throw new UserError('--accept-gaps needs --owner: the person or team responsible.');
  const record = await readRecord(report);
  if (record.result === 'interrupted') {
    throw new UserError(`${report} is of a run that was interrupted: it does not show what can be exercised.`);
  }
  const gaps = gapsOf(record, { owner, expires });
  if (gaps.length === 0) throw new UserError(`${report} has no gap: the run exercised every must that it selected.`);
  await writeWhole(path, gapsText(record, gaps));
  const what = gaps.length === 1 ? '1 accepted gap' : `${gaps.length} accepted gaps`;
  out.write(
    `${path} written, with ${what} until ${expires}. Read the reasons, then run: awc run TARGET --waivers ${path}\n`,
  );
}
