import type { Clock } from '../../core/clock.ts';
import { sha256 } from '../../core/hash.ts';
import { type Deployment, type HttpRequest, type HttpResponse, TransportError } from '../../core/http.ts';
import type { RecordedEvent, Recording } from './recording.ts';

/** The most bytes of different bodies in a recording: all of it is in memory, several times while it is sealed. */
export const maxBytes = 48 * 1024 * 1024;
const noRoom = `A certificate holds at most ${maxBytes / 1024 / 1024} MiB of answers: certify with fewer or smaller data.`;

/** Everything outside of a run that it depends on. */
export type World = { readonly deployment: Deployment; readonly clock: Clock };

/**
 * The same world, and a recording of everything that it returns. It delivers answers and ends of sleeps one by one, each
 * after all consequences of the previous one, so their order determines the run. `breathe` lets the rest of the process
 * continue while the time of the world stands still.
 */
export function recordWorld(
  { deployment, clock }: World,
  breathe: () => Promise<void>,
): { readonly world: World; readonly startMs: number; readonly recording: () => Recording } {
  const startMs = Math.floor(clock.now());
  const events: RecordedEvent[] = [];
  const known = new Map<string, Uint8Array>();
  const takeTurn = createTurns(breathe);
  let bytes = 0;
  let times: number[] = [];
  let requests = 0;
  let sleeps = 0;

  function timesSoFar(): readonly number[] {
    const taken = times;
    times = [];
    return taken;
  }

  /** Keeps equal bodies once, because lists are read repeatedly. Throws TransportError if there is no room for the body. */
  function keptOnce(response: HttpResponse): HttpResponse {
    const digest = sha256(response.body);
    const body = known.get(digest) ?? response.body;
    if (body === response.body) {
      if (bytes + body.length > maxBytes) throw new TransportError('too-large', noRoom);
      bytes += body.length;
    }
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

  /** Rounded, so that the recording holds exactly the value that the run saw. */
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
    startMs,
    recording: () => ({ startMs, events, clockAtEnd: times }),
  };
}

/**
 * Lets one caller continue at a time: each continues when all consequences of the previous one are done, or at once if there
 * is none.
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
