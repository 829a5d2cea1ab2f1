import { shown } from '../../core/text.ts';
import type { Probe } from '../../targets/doctor/why-unusable.ts';
import { bad, good, type Line, listed } from './line.ts';

/** What the first requests showed: one line for each outcome, however many principals and operations had it. */
export function probeLines(probes: readonly Probe[]): readonly Line[] {
  const alike = Map.groupBy(probes, ({ sign, outcome }) => `${sign} ${outcome}`);
  if (alike.size === 1) return [];
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const [names, operations, resources] = [
      group.map(({ principal, isAdmin }) => (isAdmin ? principal.name : `${principal.name} (not admin)`)),
      group.map(({ operation }) => operation),
      group.map(({ resource }) => shown(resource, 80)),
    ].map((all) => listed([...new Set(all)]));
    const text = `${operations} of ${resources}, as ${names}: ${first.outcome}`;
    return [first.sign === 'speaks' ? good(text) : bad(text)];
  });
}
