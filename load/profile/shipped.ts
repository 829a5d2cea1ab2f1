/** The profiles that come with the command, in the order in which they are usually run. */
export const shippedProfiles = [
  'smoke',
  'baseline',
  'steady',
  'ramp',
  'spike',
  'soak',
  'capacity',
  'rate-limit',
  'contention',
  'long-poll',
] as const;

/** In the package this file is one folder deeper than in a checkout. */
const folder = import.meta.url.endsWith('.ts') ? '../../profiles/' : '../../../profiles/';

/** Where a shipped profile stands; undefined for any other name. */
export function shippedProfileUrl(name: string): URL | undefined {
  const found = shippedProfiles.find((candidate) => candidate === name);
  return found === undefined ? undefined : new URL(`${folder}${found}.yaml`, import.meta.url);
}
