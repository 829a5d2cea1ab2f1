import type { PhaseName } from '../../reports/load/load-record.ts';
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
  const { dns, connect, tls, firstByte, receive } = phases;
  record(to.dns, dns);
  record(to.connect, connect);
  record(to.tls, tls);
  record(to.firstByte, firstByte);
  record(to.receive, receive);
}

function record(to: TimeHistogram, ms: number | undefined): void {
  if (ms !== undefined) to.recordValue(wholeUs(ms));
}
