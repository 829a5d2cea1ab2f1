import { createHash } from 'node:crypto';
import type { Profile } from '../profile/profile.ts';

/** What tells profiles apart, with every default filled in: runs of one digest were asked the same. */
export function profileDigest(profile: Profile): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(profile)).digest('hex')}`;
}
