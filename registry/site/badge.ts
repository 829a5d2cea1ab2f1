import { badge } from '../../reports/run/badge.ts';
import type { Entry } from './entry.ts';

/** The badge of a certificate. It contains no text of the vendor. */
export function renderRegistryBadge({ revision, day, state }: Entry): string {
  const certified = `Certified by revision ${revision} on ${day}`;
  const text = state === 'expired' ? 'expired' : `revision ${revision}, ${day}`;
  const title = {
    valid: certified,
    unjudged: `${certified} with another version of the suite, and not judged again`,
    expired: `The certificate of ${day} has expired`,
  }[state];
  return badge({ label: 'certified', text, title, color: state === 'valid' ? '#10653a' : '#48525f' });
}
