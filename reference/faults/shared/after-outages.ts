import { seenOutages } from '../../hooks/seen-outages.ts';
import type { Altered, Fault } from '../../variation.ts';

export type Outages = ReturnType<typeof seenOutages>;

/** Alters decisions by the outages before them. */
export function afterOutages(
  alter: (outages: Outages, rules: Parameters<Fault['alter']>[0]) => Altered,
): Fault['alter'] {
  return (rules) => {
    const outages = seenOutages();
    return { onOutage: outages.onOutage, ...alter(outages, rules) };
  };
}
