import { Client, type Dispatcher } from 'undici';
import type { HttpRequest, TransportFailure } from '../harness/http.ts';
import { type Progress, transportErrorOf } from '../harness/network-failure.ts';
import type { Outcome } from './outcome.ts';

/** What came of one request. `body` is in the pieces in which it came, still in its content coding. */
export type Arrived = {
  readonly outcome: Outcome;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: readonly Uint8Array[];
};

export type SocketPool = {
  /** Sends now, or as soon as a socket is free. `sent` is called before the request leaves. Returns how to give it up. */
  readonly send: (request: HttpRequest, sent: () => void, done: (arrived: Arrived) => void) => () => void;
  readonly stats: () => SocketStats;
  /** Ends every connection; requests under way fail, and those that wait for a socket are never sent. */
  readonly close: () => Promise<void>;
};

export type SocketStats = {
  readonly cap: number;
  /** The most that were busy at once. */
  readonly peak: number;
  /** Requests that had to wait for a socket. */
  readonly waited: number;
};

/** No honest answer is longer. */
const maxBodyBytes = 32 * 1024 * 1024;

/** Shorter than servers usually keep an idle connection, so that they hardly ever close one that is about to be used. */
const keepAliveMs = 2000;

const none: Arrived['headers'] = {};

type Waiting = { readonly start: (client: Client) => void; isGivenUp: boolean };

/** At most `cap` connections with one request at a time on each; the rest wait in order. Follows no redirect. */
export function openSockets(baseUrl: string, cap: number, connectTimeoutMs: number): SocketPool {
  const base = new URL(baseUrl);
  const prepare = createPreparation(base);
  const clients: Client[] = [];
  const idle: Client[] = []; // the latest used one last, so that few are warm rather than many lukewarm
  const waiting = createQueue();
  let peak = 0;
  let waited = 0;
  let isClosed = false;

  function open(): Client | undefined {
    if (clients.length >= cap) return undefined;
    const client = new Client(base.origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: keepAliveMs,
      connect: { timeout: connectTimeoutMs },
    });
    clients.push(client);
    return client;
  }

  function release(client: Client): void {
    // A closed client fails at once, and would hand itself on to the next one that waits, deeper with each of thousands.
    const next = isClosed ? undefined : waiting.shift();
    if (next === undefined) idle.push(client);
    else next.start(client);
  }

  function send(request: HttpRequest, sent: () => void, done: (arrived: Arrived) => void): () => void {
    let giveUp = () => {};
    const start = (client: Client) => {
      peak = Math.max(peak, clients.length - idle.length);
      sent();
      giveUp = exchange(client, prepare(request), (arrived) => {
        release(client);
        done(arrived);
      });
    };
    const client = idle.pop() ?? open();
    if (client !== undefined) {
      start(client);
      return () => giveUp();
    }
    waited += 1;
    const entry: Waiting = { start, isGivenUp: false };
    waiting.push(entry);
    giveUp = () => {
      entry.isGivenUp = true;
      done({ outcome: 'timeout', headers: none, body: [] });
    };
    return () => giveUp();
  }

  return {
    send,
    stats: () => ({ cap, peak, waited }),
    close: async () => {
      isClosed = true;
      await Promise.all(clients.map((client) => client.destroy()));
    },
  };
}

/** First in, first out; what was given up is passed over. */
function createQueue() {
  let entries: Waiting[] = [];
  let head = 0;
  return {
    push: (entry: Waiting) => void entries.push(entry),
    shift(): Waiting | undefined {
      for (;;) {
        const entry = entries[head];
        if (entry === undefined) return undefined;
        head += 1;
        if (head > 1000 && head * 2 > entries.length) {
          entries = entries.slice(head);
          head = 0;
        }
        if (!entry.isGivenUp) return entry;
      }
    },
  };
}

/** What undici is given for a request; made once for one that comes again. */
function createPreparation(base: URL): (request: HttpRequest) => Dispatcher.DispatchOptions {
  const { origin } = base;
  const prefix = base.pathname.replace(/\/+$/, '');
  const made = new WeakMap<HttpRequest, Dispatcher.DispatchOptions>();
  return (request) => {
    const known = made.get(request);
    if (known !== undefined) return known;
    const { method, path, headers, body } = request;
    const options = {
      origin,
      method,
      path: prefix + path,
      headers: Object.entries(headers).flat(),
      body: body ?? null,
      blocking: false,
    };
    made.set(request, options);
    return options;
  };
}

/** One request on one connection; `done` is called exactly once. Returns how to give it up, as a timeout. */
function exchange(client: Client, request: Dispatcher.DispatchOptions, done: (arrived: Arrived) => void): () => void {
  let controller: Dispatcher.DispatchController | undefined;
  let isOver = false;
  let givenUp: TransportFailure | undefined;
  let status = 0;
  let answerHeaders = none;
  const progress: Progress = { stage: 'connecting', bodyBytes: 0 };
  const pieces: Uint8Array[] = [];

  function finish(outcome: Outcome): void {
    if (isOver) return;
    isOver = true;
    done({ outcome, headers: answerHeaders, body: pieces });
  }

  /** The connection is closed first, so that whoever gets the client next gets a new one. */
  function giveUp(why: TransportFailure): void {
    if (isOver) return;
    givenUp = why;
    controller?.abort(new Error(why));
    finish(why);
  }

  client.dispatch(request, {
    onRequestStart(started) {
      controller = started;
      progress.stage = 'waiting';
      if (isOver) started.abort(new Error('given up while it was connecting'));
    },
    onResponseStarted() {
      progress.stage = 'headers';
    },
    onResponseStart(_controller, statusCode, received) {
      progress.stage = 'body';
      status = statusCode;
      answerHeaders = received;
    },
    onResponseData(_controller, piece) {
      progress.bodyBytes += piece.length;
      if (progress.bodyBytes > maxBodyBytes) giveUp('too-large');
      else pieces.push(piece);
    },
    onResponseEnd: () => finish(status),
    onResponseError: (_controller, error) => finish(givenUp ?? transportErrorOf(error, progress).failure),
  });
  return () => giveUp('timeout');
}
