import { z } from 'zod';
import { type ForkedServer, forkServer } from '../../load/calibrate/fork-server.ts';

/** The queue mode of raw-server.ts serves this many requests at once, each for this long. */
export const queue = { servers: 4, serviceMs: 20 } as const;

/** The most requests a second that the queue can serve. */
export const queueCeiling = (queue.servers * 1000) / queue.serviceMs;

/** How long its hold mode holds a POST request. */
export const heldMs = 25_000;

export const modes = ['same', 'distinct', 'queue', 'usual', 'slower', 'hold'] as const;

/** Starts raw-server.ts. It notes when requests arrived, in milliseconds since the epoch. */
export function startRawServer(mode: (typeof modes)[number]): Promise<ForkedServer<number>> {
  return forkServer(new URL('./raw-server.ts', import.meta.url), mode, z.number());
}
