import { isDeepStrictEqual } from 'node:util';
import { type HttpRequest, type HttpResponse, TransportError } from '../harness/http.ts';
import { shown } from '../harness/text.ts';
import { credentialForm } from './credential-form.ts';
import type { World } from './record-world.ts';
import type { RecordedEvent, RecordedRequest, Recording } from './recording.ts';

/** What came of making a run again. `diverged`: the suite asks for something else than what was recorded. */
export type Replayed<Result> =
  { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'diverged'; readonly reason: string };

type Exchange = Extract<RecordedEvent, { kind: 'exchange' }>;

/**
 * Makes a run again from its recording: `run` gets a world that tells the same, in the same order. As soon as it is asked
 * for something that was not recorded, the run is left where it stands and never goes on. `kept` is a request as the
 * recording keeps it.
 */
export async function replayWorld<Result>(
  { startMs, events, clockAtEnd }: Recording,
  kept: (request: HttpRequest) => RecordedRequest,
  run: (world: World) => Promise<Result>,
): Promise<Replayed<Result>> {
  const exchanges = new Map(events.flatMap((event) => (event.kind === 'exchange' ? [[event.number, event]] : [])));
  const answers = new Map<number, () => void>();
  const sleepers = new Map<number, () => void>();
  const left = Promise.withResolvers<never>(); // never settles: whoever waits for it has been left behind
  let times = [...(events[0]?.clock ?? clockAtEnd)];
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
    if (!isDeepStrictEqual(comparable(asked), comparable(exchange.request)))
      return diverge(differenceOf(asked, exchange));
    await new Promise<void>((resolve) => answers.set(number, resolve));
    const { outcome } = exchange;
    if (outcome.kind === 'failed') throw new TransportError(outcome.failure, outcome.message);
    return outcome.response;
  }

  function now(): number {
    const time = times.shift();
    if (time !== undefined) return startMs + time;
    void diverge('the suite looks at the clock more often than the recording says');
    throw new Error('diverged'); // ends whatever would wait for time to pass without sleeping
  }

  async function sleep(): Promise<void> {
    const number = sleeps;
    sleeps += 1;
    await new Promise<void>((resolve) => sleepers.set(number, resolve));
  }

  /** Undefined when the run goes on. */
  function deliver(event: RecordedEvent): string | undefined {
    if (times.length > 0) return lessOften;
    const go = event.kind === 'wake' ? sleepers.get(event.sleep) : answers.get(event.number);
    if (go !== undefined) {
      (event.kind === 'wake' ? sleepers : answers).delete(event.kind === 'wake' ? event.sleep : event.number);
      go();
      return undefined;
    }
    return event.kind === 'wake'
      ? 'the recording ends a sleep that is none'
      : `the recording holds ${lineOf(event.request)} (exchange ${event.number}), which the suite does not send`;
  }

  let done: { readonly result: Result } | undefined;
  const running = run({ deployment, clock: { now, sleep } }).then((result) => {
    done = { result };
  });
  for (const [index, event] of events.entries()) {
    await settled();
    reason ??= deliver(event);
    if (reason !== undefined) return { kind: 'diverged', reason };
    times = [...(events[index + 1]?.clock ?? clockAtEnd)];
  }
  await settled();
  if (times.length > 0) reason ??= lessOften;
  if (done === undefined) reason ??= 'the suite waits for more than the recording holds';
  if (reason !== undefined || done === undefined) return { kind: 'diverged', reason: reason ?? '' };
  await running;
  return { kind: 'done', result: done.result };
}

const lessOften = 'the suite looks at the clock less often than the recording says';

/** When all that follows from what was told so far has been done: nothing in a suite waits but for its world. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
