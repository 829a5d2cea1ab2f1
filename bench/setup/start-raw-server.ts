import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The queue mode of raw-server.ts serves this many requests at once, each for this long. */
export const queue = { servers: 4, serviceMs: 20 } as const;

/** The most requests a second that the queue can serve. */
export const queueCeiling = (queue.servers * 1000) / queue.serviceMs;

/** How long its hold mode holds a POST request. */
export const heldMs = 25_000;

export type RawServer = {
  readonly url: string;
  /** When requests arrived since the last call, in milliseconds since the epoch. */
  readonly arrivals: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

type Mode = 'same' | 'distinct' | 'queue' | 'usual' | 'slower' | 'hold';

/** Starts raw-server.ts in its own process. */
export async function startRawServer(mode: Mode): Promise<RawServer> {
  const child = fork(fileURLToPath(new URL('./raw-server.ts', import.meta.url)), [mode]);
  const [address] = await once(child, 'message');
  const { port } = z.object({ port: z.int() }).parse(address);
  return {
    url: `http://127.0.0.1:${port}`,
    async arrivals() {
      child.send('arrivals');
      const [times] = await once(child, 'message');
      return z.array(z.number()).parse(times);
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
