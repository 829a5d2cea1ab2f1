import { z } from 'zod';
import { shown } from '../../core/text.ts';
import type { LoadRecord, PartClock } from '../../reports/load/load-record.ts';
import { safeJsonLine } from '../../reports/text/safe-json.ts';
import { type CoordinatorOptions, createCoordinatorClient } from './coordinator-client.ts';
import { GatherError } from './gather-error.ts';
import { nowSchema, type PartFailure, type Phase, type PhaseKind, phaseSchema, type Registration } from './protocol.ts';

/** A part of a load that a coordinator leads. */
export type JoinedLoad = {
  /**
   * Registers, waits for the other parts, compares the clocks, and resolves with the start of the measured part by the clock
   * of this part. Rejects with GatherError if the load does not start.
   */
  readonly meet: (registration: Registration, signal: AbortSignal) => Promise<Start>;
  /** Aborted, with a sentence as reason, if the coordinator ends the load or is gone. */
  readonly stop: AbortSignal;
  readonly handOver: (record: LoadRecord) => Promise<void>;
  /** Says why there is no record. Does nothing if the coordinator is gone. */
  readonly fail: (failure: PartFailure) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** `startAt` is in milliseconds since the epoch. */
export type Start = { readonly startAt: number; readonly clock: PartClock };

const nothing = z.object({});

/** Joins a load as one of its parts. Nothing is sent until the first call. */
export function joinLoad(options: CoordinatorOptions): JoinedLoad {
  const client = createCoordinatorClient(options);
  const stop = new AbortController();
  const left = new AbortController();

  /** The first phase after one that this part knows. */
  async function phaseAfter(knows: PhaseKind, signal: AbortSignal): Promise<Phase> {
    let phase: Phase;
    do phase = await client.ask('wait', JSON.stringify({ knows }), phaseSchema, signal);
    while (phase.kind === knows);
    return phase;
  }

  /** Listens for the end of the load while it runs. */
  async function follow(): Promise<void> {
    try {
      stop.abort(reasonOf(await phaseAfter('starting', left.signal)));
    } catch (error) {
      if (!left.signal.aborted) stop.abort(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    async meet(registration, signal) {
      await client.ask('register', JSON.stringify(registration), nothing, signal);
      mustGoOn(await phaseAfter('gathering', signal));
      const clock = await measureOffset(
        async () => (await client.ask('clock', '{}', nowSchema, signal)).now,
        options.clock.now,
      );
      await client.ask('align', JSON.stringify(clock), nothing, signal);
      const phase = mustGoOn(await phaseAfter('aligning', signal));
      if (phase.kind !== 'starting') throw new GatherError('the coordinator answers out of turn.', 6);
      void follow();
      return { startAt: phase.startAt - clock.offsetMs, clock };
    },
    stop: stop.signal,
    async handOver(record) {
      await client.ask('record', safeJsonLine(record), nothing);
    },
    async fail(failure) {
      if (client.isGone() || (failure.exitCode === 130 && !client.isReached())) return;
      await client.ask('failed', JSON.stringify({ ...failure, reason: failure.reason.slice(0, 2000) }), nothing);
    },
    async close() {
      left.abort();
      await client.close();
    },
  };
}

function mustGoOn(phase: Phase): Phase {
  if (phase.kind !== 'stopping') return phase;
  throw new GatherError(`the load was stopped before its start: ${reasonOf(phase)}`, 6);
}

function reasonOf(phase: Phase): string {
  return phase.kind === 'stopping' ? shown(phase.reason, 500) : 'the coordinator answers out of turn';
}

const exchanges = 8;

/**
 * Compares a clock with the coordinator's, as NTP does: of a few exchanges, the one with the shortest round trip is the most
 * accurate. The coordinator read its clock at some time in the round trip, so the uncertainty is half of the round trip.
 */
async function measureOffset(coordinatorNow: () => Promise<number>, now: () => number): Promise<PartClock> {
  let best: PartClock | undefined;
  for (let round = 0; round < exchanges; round += 1) {
    const sentAt = now();
    const theirs = await coordinatorNow();
    const uncertaintyMs = Math.max(0, (now() - sentAt) / 2);
    if (best === undefined || uncertaintyMs < best.uncertaintyMs)
      best = { offsetMs: theirs - sentAt - uncertaintyMs, uncertaintyMs };
  }
  if (best === undefined) throw new Error('no exchange was made');
  return best;
}
