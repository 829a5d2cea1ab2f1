import { isDeepStrictEqual } from 'node:util';
import { type HttpRequest, type HttpResponse, TransportError } from '../../core/http.ts';
import { shown } from '../../core/text.ts';
import type { World } from './record-world.ts';
import type { RecordedEvent, RecordedRequest, Recording } from './recording.ts';

/** The outcome of a replay. `diverged`: the suite requests something other than what was recorded. */
export type Replayed<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'diverged'; readonly reason: string };

type Exchange = Extract<RecordedEvent, { kind: 'exchange' }>;

/** Turns a request into the form that the recording keeps. */
type Kept = (request: HttpRequest) => RecordedRequest;

/** How far the clock jumps for each reading beyond those recorded, in milliseconds. */
const beyondMs = 3_600_000;

const lessOften = 'the suite looks at the clock less often than the recording says';

/**
 * Repeats a run from its recording: `run` gets a world that returns the same, in the same order. If it requests something
 * that was not recorded, the run is abandoned.
 */
export async function replayWorld<Result>(
  recording: Recording,
  kept: Kept,
  run: (world: World) => Promise<Result>,
): Promise<Replayed<Result>> {
  const { world, deliver, reason } = createReplay(recording, kept);
  let ended: { readonly result: Result } | { readonly error: unknown } | undefined;
  run(world).then(
    (result) => (ended = { result }),
    (error: unknown) => (ended = { error }),
  );
  for (const [index] of recording.events.entries()) {
    await settled();
    deliver(index);
    const because = reason();
    if (because !== undefined) return { kind: 'diverged', reason: because };
  }
  await settled();
  deliver(recording.events.length);
  const outcome: typeof ended = ended;
  const because = reason() ?? (outcome === undefined ? 'the suite waits for more than the recording holds' : undefined);
  if (because !== undefined || outcome === undefined) return { kind: 'diverged', reason: because ?? '' };
  if ('error' in outcome) throw outcome.error;
  return { kind: 'done', result: outcome.result };
}

/** Resolves when all consequences of the events so far are done, because a suite waits only for its world. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The world of a recording, and the function that advances it. */
function createReplay({ startMs, events, clockAtEnd }: Recording, kept: Kept) {
  const exchanges = new Map(events.flatMap((event) => (event.kind === 'exchange' ? [[event.number, event]] : [])));
  const waiting = { exchange: new Map<number, () => void>(), wake: new Map<number, () => void>() };
  const left = Promise.withResolvers<never>(); // never settles: a run that waits for it is abandoned
  let times = [...(events[0]?.clock ?? clockAtEnd)];
  let last = 0;
  let requests = 0;
  let sleeps = 0;
  let reason: string | undefined;

  function diverge(because: string): Promise<never> {
    reason ??= because;
    return left.promise;
  }

  async function deployment(request: HttpRequest): Promise<HttpResponse> {
    const number = requests;
    requests += 1;
    const exchange = exchanges.get(number);
    const asked = kept(request);
    if (exchange === undefined) return diverge(`the suite sends ${lineOf(asked)}, which is not in the recording`);
    const isSame = isDeepStrictEqual(comparable(asked), comparable(exchange.request));
    if (!isSame) return diverge(differenceOf(asked, exchange));
    await new Promise<void>((resolve) => waiting.exchange.set(number, resolve));
    const { outcome } = exchange;
    if (outcome.kind === 'failed') throw new TransportError(outcome.failure, outcome.message);
    return outcome.response;
  }

  function now(): number {
    const time = times.shift();
    last = time ?? last + beyondMs; // so that a loop that waits for a time ends
    if (time === undefined) void diverge('the suite looks at the clock more often than the recording says');
    return startMs + last;
  }

  async function sleep(): Promise<void> {
    const number = sleeps;
    sleeps += 1;
    await new Promise<void>((resolve) => waiting.wake.set(number, resolve));
  }

  /** Delivers an event unless the run has diverged. After the last one, it only looks for a divergence. */
  function deliver(index: number): void {
    const event = events[index];
    if (times.length > 0) void diverge(lessOften);
    if (event === undefined) return;
    const number = event.kind === 'wake' ? event.sleep : event.number;
    const go = waiting[event.kind].get(number);
    if (go === undefined) void diverge(notAwaited(event));
    if (reason !== undefined) return;
    waiting[event.kind].delete(number);
    times = [...(events[index + 1]?.clock ?? clockAtEnd)];
    go?.();
  }

  return {
    world: { deployment, clock: { now, sleep } },
    deliver,
    /** Why the run differs from the recorded one; undefined as long as it does not. */
    reason: () => reason,
  };
}

function notAwaited(event: RecordedEvent): string {
  if (event.kind === 'wake') return 'the recording ends a sleep that the suite did not begin';
  return `the recording holds ${lineOf(event.request)} (exchange ${event.number}), which the suite does not send`;
}

function comparable(request: RecordedRequest): RecordedRequest {
  const { authorization } = request.headers;
  if (authorization === undefined) return request;
  return { ...request, headers: { ...request.headers, authorization: credentialForm(authorization) } };
}

function differenceOf(asked: RecordedRequest, { number, request }: Exchange): string {
  const [one, other] = [lineOf(asked), lineOf(request)];
  if (one !== other) return `exchange ${number} is ${other}, but the suite sends ${one}`;
  return `exchange ${number}, ${one}, has other headers or another body than the suite sends`;
}

function lineOf({ method, path }: RecordedRequest): string {
  return `${method} ${shown(path, 200)}`;
}

/** A scheme and the variable that stands for a whole key. */
const ofKey = /^\S+ +\$[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * The part of a credential that stays the same in a replay, where wrong credentials are made from the stand-in of a key.
 */
function credentialForm(credential: string): string {
  return ofKey.test(credential) ? credential : credential.replace(/(?<=\S ).*$/s, 'no key');
}
