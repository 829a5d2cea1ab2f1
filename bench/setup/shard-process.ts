import { once } from 'node:events';
import { z } from 'zod';
import { plainOptions } from '../../testing/plain-options.ts';
import { parseProfile } from '../../load/profile/profile-file.ts';
import { benchTarget } from './bench-target.ts';

/** One shard of a run in its own process: it receives what to send, and sends back the record. */
const [message] = await once(process, 'message');
const { url, profile, shard, startAt } = z
  .object({
    url: z.string(),
    profile: z.string(),
    shard: z.object({ index: z.int(), of: z.int() }),
    startAt: z.number(),
  })
  .parse(message);
const options = { ...plainOptions(benchTarget(url)), shard, startAt };
const parsed = parseProfile(profile, 'shards.yaml', {});
const record = await parsed.load.run(parsed, options);
process.send?.(record, () => process.disconnect());
