import { shown } from '../../core/text.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';

/** Why runs cannot be compared, as a sentence; undefined if they can. */
export function whyIncomparable(a: readonly LoadRecord[], b: readonly LoadRecord[]): string | undefined {
  const records = [...a, ...b];
  const [first] = records;
  if (first === undefined || a.length === 0 || b.length === 0) return 'At least one run of each build is needed.';
  for (const { profile, result, startedAt } of records) {
    const run = `The run of ${shown(profile.name, 60)} at ${startedAt}`;
    if (profile.kind !== 'open') {
      return `${run} is not an open load: only open loads measure latency from the scheduled instant, at the same rate for both builds.`;
    }
    if (result === 'interrupted') return `${run} was interrupted.`;
  }
  const other = records.find(({ profile }) => profile.digest !== first.profile.digest);
  if (other !== undefined) {
    return (
      `The runs are of different profiles (${described(first)} and ${described(other)}): ` +
      'a difference may come from the profile. Run both with the same profile.'
    );
  }
  const counted = (record: LoadRecord) => record.slices.some(({ arrived }) => arrived !== undefined);
  const older = records.find((record) => !counted(record));
  if (older !== undefined && records.some(counted)) {
    return `The run at ${older.startedAt} is of an older version, which also counted answers that arrived after the end: run it again.`;
  }
  const divided = records.find(({ shards }) => shards.indexes.length < shards.of);
  if (divided !== undefined) return `The run at ${divided.startedAt} is one shard of several: merge them first.`;
  return undefined;
}

function described({ profile }: LoadRecord): string {
  return `${shown(profile.name, 60)} ${profile.digest.slice(0, 15)}`;
}
