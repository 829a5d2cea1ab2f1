import { shown } from '../../core/text.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';

/** Why runs cannot be put side by side, as a sentence; undefined when they can. */
export function whyIncomparable(a: readonly LoadRecord[], b: readonly LoadRecord[]): string | undefined {
  const records = [...a, ...b];
  const [first] = records;
  if (first === undefined || a.length === 0 || b.length === 0) return 'It takes a run of each build.';
  for (const { profile, result, startedAt } of records) {
    const run = `The run of ${shown(profile.name, 60)} at ${startedAt}`;
    if (profile.kind !== 'open') {
      return `${run} is no open load: only those have latencies from the scheduled instant and the same rate for both builds.`;
    }
    if (result === 'interrupted') return `${run} was interrupted.`;
  }
  const other = records.find(({ profile }) => profile.digest !== first.profile.digest);
  if (other !== undefined) {
    return (
      `The runs are of different profiles (${described(first)} and ${described(other)}): ` +
      'what differs may be the question, not the answer. Run both with one profile.'
    );
  }
  const divided = records.find(({ shards }) => shards.indexes.length < shards.of);
  if (divided !== undefined) return `The run at ${divided.startedAt} is one shard of several: merge them first.`;
  return undefined;
}

function described({ profile }: LoadRecord): string {
  return `${shown(profile.name, 60)} ${profile.digest.slice(0, 15)}`;
}
