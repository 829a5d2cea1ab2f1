import type { Clock } from '../core/clock.ts';
import type { Request } from './http/request.ts';
import { whilePatient } from './world.ts';

/** Does the work of a request once a worker is free. */
export type Workers = <Done>(request: Request, work: () => Promise<Done>) => Promise<Done>;

/** That many workers. Requests get one in the order of their arrival, and are carried out even if their client has left. */
export function createWorkers(clock: Clock, count: number): Workers {
  const waiting: (() => void)[] = [];
  let free = count;

  async function byOne<Done>(work: () => Promise<Done>): Promise<Done> {
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }

  async function inTurn<Done>(work: () => Promise<Done>): Promise<Done> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
    return byOne(work);
  }

  return (request, work) => {
    if (free === 0) return whilePatient(clock, request, inTurn(work));
    free -= 1;
    return byOne(work);
  };
}
