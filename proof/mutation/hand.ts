import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Order, Reply } from './mutant-worker.ts';

/** A worker that is started again when a mutant hangs or breaks it. */
export type Hand = {
  /** The reply; `hung` if none came within `mostMs`. */
  readonly order: (order: Order, mostMs: number) => Promise<Reply | 'hung'>;
  readonly end: () => Promise<unknown>;
};

/** `mutant` is active while the worker loads the code in `folder`. */
export function createHand(folder: string, mutant?: string): Hand {
  const script = pathToFileURL(join(folder, 'proof/mutation/mutant-worker.ts'));
  let answered: (reply: Reply | 'hung') => void = () => {};
  let worker = start();

  function start(): Worker {
    const env = { ...process.env, ...(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant }) };
    const started = new Worker(script, { env });
    started.on('message', (reply: Reply) => answered(reply));
    started.on('error', () => answered('hung'));
    return started;
  }

  return {
    async order(order, mostMs) {
      const { promise, resolve } = Promise.withResolvers<Reply | 'hung'>();
      answered = resolve;
      const timer = setTimeout(() => resolve('hung'), mostMs);
      worker.postMessage(order);
      const reply = await promise;
      clearTimeout(timer);
      if (reply === 'hung') {
        await worker.terminate();
        worker = start();
      }
      return reply;
    },
    end: () => worker.terminate(),
  };
}
