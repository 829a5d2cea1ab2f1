import type { Profile } from '../profile/profile.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { runContention } from './contention/run-contention.ts';
import { runLongPoll } from './long-poll/run-long-poll.ts';
import { runCapacity } from './run-capacity.ts';
import { type LoadOptions, runLoad } from './run-load.ts';

/** Runs any profile to its record. Rejects only for faults of the suite. */
export async function runProfile(profile: Profile, options: LoadOptions): Promise<LoadRecord> {
  const { load } = profile;
  switch (load.kind) {
    case 'open':
    case 'closed':
      return runLoad({ ...profile, load }, options);
    case 'rateLimit': {
      // The engine behind it brings along what no other load should have to keep in memory.
      const { runRateLimit } = await import('./rate-limit/run-rate-limit.ts');
      return runRateLimit({ ...profile, load }, options);
    }
    case 'capacity':
      return runCapacity({ ...profile, load }, options);
    case 'contention':
      return runContention({ ...profile, load }, options);
    case 'longPoll':
      return runLongPoll({ ...profile, load }, options);
  }
}
