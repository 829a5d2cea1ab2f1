import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Context } from '../shared/context.ts';
import { ownModule } from '../../core/own-module.ts';
import { UserError } from '../shared/user-error.ts';
import type { FromLivePage, Snapshot, ToLivePage } from './snapshot.ts';

/** A page that shows a run in progress. */
export type LivePage = {
  /** Whether a browser watches. If not, the page needs no snapshot. */
  readonly isWatched: () => boolean;
  readonly show: (snapshot: Snapshot) => void;
  /** Says that the run is over, and ends the server. */
  readonly close: () => Promise<void>;
};

/** Serves a live page at this port while `use` runs. If there is no port, `use` runs without a page. */
export async function withLivePage<Result>(
  port: number | undefined,
  context: Pick<Context, 'err'>,
  use: (page: LivePage | undefined) => Promise<Result>,
): Promise<Result> {
  const page = port === undefined ? undefined : await openLivePage(port, context);
  try {
    return await use(page);
  } finally {
    await page?.close();
  }
}

/** Serves a live page in a thread of its own and prints its address. Its stop button interrupts this process. Rejects with UserError if the port cannot be used. */
async function openLivePage(port: number, { err }: Pick<Context, 'err'>): Promise<LivePage> {
  const worker = new Worker(fileURLToPath(ownModule('cli/live/live-thread')), { workerData: { port } });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  worker.once('exit', () => end());
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  let clients = 0;
  let isBroken = false;
  let isStopped = false;
  worker.on('message', (message: FromLivePage) => {
    switch (message.kind) {
      case 'listening':
        return resolve(message.url);
      case 'refused':
        return reject(new UserError(`--live cannot serve a page on port ${port}: ${message.reason}.`));
      case 'clients':
        clients = message.count;
        return;
      case 'stop':
        if (!isStopped) process.emit('SIGINT'); // the same as Ctrl-C, but a second one does not end the process at once
        isStopped = true;
    }
  });
  worker.on('error', (error) => {
    isBroken = true; // the run does not depend on it
    reject(error);
    err.write(`! The live page ended: ${error.message}\n`);
  });
  err.write(`Live page: ${await listening}\n`);
  const send = (message: ToLivePage) => worker.postMessage(message);
  return {
    isWatched: () => clients > 0 && !isBroken,
    show: (snapshot) => send({ kind: 'show', snapshot, status: isStopped ? 'Stopping' : 'Running' }),
    async close() {
      send({ kind: 'end', status: 'The run is over. This page no longer changes.' });
      await ended;
    },
  };
}
