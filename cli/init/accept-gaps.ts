import { stringify } from 'yaml';
import { withStatus } from '../../reports/record/check-status.ts';
import type { AcceptedGap, RequirementRecord, RunRecord } from '../../reports/record/record.ts';
import type { GapOptions } from './init-options.ts';
import type { Context } from '../shared/context.ts';
import { readRecord } from '../shared/read-record.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';

/** How long a gap is accepted if no date is given, in milliseconds. */
const usualMs = 90 * 24 * 3600 * 1000;

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

/** In characters; a waiver file has no longer reason. */
const maxReason = 1000;

/** The gaps of a run: musts that it did not exercise, and the gaps that were accepted before and still apply. */
function gapsOf(record: RunRecord, known: Pick<AcceptedGap, 'owner' | 'expires'>): readonly AcceptedGap[] {
  const kept = (record.acceptedGaps ?? []).flatMap(({ state, notExercised, reason, owner, expires }) =>
    state === 'applied' || state === 'untested' ? [{ notExercised, reason, owner, expires }] : [],
  );
  const lacking = record.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'blocked');
  return [...kept, ...lacking.flatMap((requirement) => gapsIn(record, requirement, known))];
}

/**
 * Accepts the whole requirement if none of its checks was exercised, or if a blocked check has the same id. Otherwise accepts only
 * the blocked checks, so that a run fails when another check of the requirement is no longer exercised.
 */
function gapsIn(
  { checks }: RunRecord,
  { id, checks: own }: RequirementRecord,
  known: Pick<AcceptedGap, 'owner' | 'expires'>,
): readonly AcceptedGap[] {
  const blocked = withStatus(checks, 'blocked').filter(({ requirement }) => requirement === id);
  const isWhole = blocked.length === own.length || blocked.some((check) => check.id === id);
  const named = isWhole ? blocked.slice(0, 1).map((check) => ({ ...check, id })) : blocked;
  return named.map(({ id: notExercised, reason = 'not exercised' }) => {
    return { notExercised, reason: reason.slice(0, maxReason), ...known };
  });
}

/** The waiver file of a run with these gaps. It keeps the waivers that the run had. */
function gapsText({ waivers }: RunRecord, acceptedGaps: readonly AcceptedGap[]): string {
  const kept = waivers.map(({ waives, reason, owner, link, expires }) => ({ waives, reason, owner, link, expires }));
  const text = stringify({ waivers: kept, acceptedGaps }, { lineWidth: 0 });
  return `# What a run is known not to exercise: awc run TARGET --waivers THIS-FILE. A gap fails the run once it is exercised or expired.\n${text.replaceAll('${', () => '$${')}`;
}
