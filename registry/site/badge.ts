import { badge } from '../../reports/run/badge.ts';
import type { Entry } from './entry.ts';

/** The badge of a certificate. It contains no text of the vendor. */
export function renderRegistryBadge({ revision, day, isValid }: Entry): string {
  const text = isValid ? `revision ${revision}, ${day}` : 'expired';
  const title = isValid ? `Certified by revision ${revision} on ${day}` : `The certificate of ${day} has expired`;
  return badge({ label: 'certified', text, title, color: isValid ? '#10653a' : '#48525f' });
}
