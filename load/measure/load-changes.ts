import { candidateKeyHeaders } from '../../core/headers/key-headers.ts';
import type { Target } from '../../core/target.ts';
import { type Changes, createChangeLedger } from '../../engine/session/change-ledger.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import type { Outcome } from './outcome.ts';

/** What a load has changed, by its answers. */
export type LoadChanges = {
  /** To be called for every request that is over, also in the warm-up. */
  readonly note: (request: LoadRequest, outcome: Outcome) => void;
  readonly soFar: () => Changes;
};

export function watchChanges(target: Target): LoadChanges {
  const ledger = createChangeLedger();
  const keyHeader = target.idempotencyHeader ?? candidateKeyHeaders[0];
  return {
    note({ operation, request }, outcome) {
      if (request.method === 'GET') return;
      const certain = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
      const isOpen = typeof outcome === 'number' ? outcome >= 500 : outcome !== 'refused';
      // Its key instead of the ID in the answer, because the thread that sends reads no bodies.
      if (certain || isOpen)
        ledger.enter({ operation, request, certain, message: () => request.headers[keyHeader] ?? '' }, target);
    },
    soFar: ledger.changes,
  };
}
