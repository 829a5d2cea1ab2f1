import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { type Deployment, type HttpRequest, type HttpResponse, TransportError } from '../../core/http.ts';
import type { RecordedEvent, Recording } from './recording.ts';

/** What a run sees of everything outside of it. */
export type World = { readonly deployment: Deployment; readonly clock: Clock };

/**
 * The same world, and a record of all that it returns. Answers and ends of sleeps are delivered one by one, each after
 * everything that follows from the one before, so their order determines the run. `breathe` lets the rest of the process
 * go on without letting the time of the world go by.
 */
export function recordWorld(
  { deployment, clock }: World,
  breathe: () => Promise<void>,
): { readonly world: World; readonly recording: () => Recording } {
  const startMs = Math.floor(clock.now());
  const events: RecordedEvent[] = [];
  const known = new Map<string, Uint8Array>();
  const takeTurn = createTurns(breathe);
  let times: number[] = [];
  let requests = 0;
  let sleeps = 0;

  function timesSoFar(): readonly number[] {
    const taken = times;
    times = [];
    return taken;
  }

  /** Lists are read again and again: a body that came before is kept once. */
  function keptOnce(response: HttpResponse): HttpResponse {
    const digest = createHash('sha256').update(response.body).digest('base64');
    const body = known.get(digest) ?? response.body;
    known.set(digest, body);
    return { ...response, body };
  }

  async function recordedDeployment(request: HttpRequest): Promise<HttpResponse> {
    const number = requests;
    requests += 1;
    try {
      const response = keptOnce(await deployment(request));
      await takeTurn();
      events.push({ kind: 'exchange', clock: timesSoFar(), number, request, outcome: { kind: 'answered', response } });
      return response;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      await takeTurn();
      const { failure, message } = error;
      events.push({
        kind: 'exchange',
        clock: timesSoFar(),
        number,
        request,
        outcome: { kind: 'failed', failure, message },
      });
      throw error;
    }
  }

  /** Rounded, so that what is written is what was seen. */
  function now(): number {
    const time = Math.round((clock.now() - startMs) * 1000) / 1000;
    times.push(time);
    return startMs + time;
  }

  async function sleep(ms: number): Promise<void> {
    const number = sleeps;
    sleeps += 1;
    await clock.sleep(ms);
    await takeTurn();
    events.push({ kind: 'wake', clock: timesSoFar(), sleep: number });
  }

  return {
    world: { deployment: recordedDeployment, clock: { now, sleep } },
    recording: () => ({ startMs, events, clockAtEnd: times }),
  };
}

/**
 * Lets one caller go on at a time: each goes on when everything that followed from the one before is done, or at once if no
 * other is under way.
 */
function createTurns(breathe: () => Promise<void>): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let busy = false;

  function next(): void {
    void breathe().then(() => {
      const go = waiting.shift();
      if (go === undefined) {
        busy = false;
        return;
      }
      go();
      next();
    });
  }

  return () => {
    if (busy) return new Promise((go) => waiting.push(go));
    busy = true;
    next();
    return undefined;
  };
}
