import type { ConnectionTimes } from '../../core/network/connection-times.ts';
import { type PhaseName, phaseNames } from '../../reports/load/load-record.ts';
import { createHistogram, type TimeHistogram, wholeUs } from './histogram.ts';

/**
 * Where the time of an answered request went, in milliseconds: `dns`, `connect` and `tls` only if it opened a connection,
 * then `firstByte`, and `receive` from the first byte to the last.
 */
export type Phases = Readonly<Partial<Record<PhaseName, number>>>;

export type PhaseHistograms = Readonly<Record<PhaseName, TimeHistogram>>;

export function createPhaseHistograms(): PhaseHistograms {
  return {
    dns: createHistogram(),
    connect: createHistogram(),
    tls: createHistogram(),
    firstByte: createHistogram(),
    receive: createHistogram(),
  };
}

export function countPhases(to: PhaseHistograms, phases: Phases): void {
  for (const name of phaseNames) {
    const ms = phases[name];
    if (ms !== undefined) to[name].recordValue(wholeUs(ms));
  }
}

/** The parts of the time until a connection was made, of the request that opened it. */
export function connectionPhases({ isTls, dialedAt, foundAt, connectedAt, madeAt }: ConnectionTimes): Phases {
  return {
    ...(foundAt > 0 && { dns: foundAt - dialedAt }),
    ...(connectedAt > 0 && { connect: connectedAt - Math.max(dialedAt, foundAt) }),
    ...(connectedAt > 0 && isTls && { tls: madeAt - connectedAt }),
  };
}
