import type { Socket } from 'node:net';

/**
 * Internals of autocannon 9.0.0 that this project uses, because its public API cannot pause a connection, keep bodies as
 * bytes, or report what was sent. The version is pinned, and a test checks this shape.
 */
export type InnerClient = {
  /** How long it waits for an answer, in milliseconds; read again for every request. */
  timeout: number;
  destroyed: boolean;
  /** Writes the current request to the connection. */
  _doRequest: () => void;
  /** Opens a connection and writes to it; called again whenever one has ended. */
  _connect: () => void;
  /** Requests that were sent and not answered yet. */
  pipelinedRequests: InnerQueue;
  readonly requestIterator: { currentRequest: InnerRequest; nextRequest: () => InnerRequest };
  readonly parser: { readonly reinitialize: (type: 'RESPONSE') => void; readonly execute: (bytes: Buffer) => unknown };
  conn: Socket | undefined;
  readonly emit: (event: 'connError', error: Error) => unknown;
  readonly on: (event: 'connError', listener: (error: Error) => void) => unknown;
};

export type InnerRequest = { readonly requestBuffer: Buffer };

export type InnerHead = {
  readonly statusCode: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly shouldKeepAlive: boolean;
};

export type InnerQueue = {
  readonly insertRequest: (request: InnerRequest) => void;
  readonly setHeaders: (head: InnerHead) => void;
  readonly addBody: (piece: Buffer) => void;
  readonly addByteCount: (count: number) => void;
  readonly terminateRequest: () => {
    readonly req: InnerRequest;
    readonly headers: Pick<InnerHead, 'statusCode' | 'headers'>;
    readonly body: string;
    readonly bytes: number;
    readonly duration: number;
  };
  /** Forgets the request under way, because its connection is gone. */
  readonly clear: () => void;
};

/** Whether autocannon still has the internals that this project uses. */
export function isInnerClient(client: unknown): client is InnerClient {
  if (typeof client !== 'object' || client === null) return false;
  const has = (kind: 'function' | 'object' | 'number', ...path: readonly string[]) => {
    let here: unknown = client;
    for (const name of path) here = typeof here === 'object' && here !== null ? Reflect.get(here, name) : undefined;
    return typeof here === kind && here !== null;
  };
  return (
    has('number', 'timeout') &&
    ['_doRequest', '_connect', 'on', 'emit'].every((name) => has('function', name)) &&
    ['insertRequest', 'setHeaders', 'addBody', 'addByteCount', 'terminateRequest', 'clear'].every((name) =>
      has('function', 'pipelinedRequests', name),
    ) &&
    has('function', 'requestIterator', 'nextRequest') &&
    has('object', 'requestIterator', 'currentRequest') &&
    has('function', 'parser', 'reinitialize') &&
    has('function', 'parser', 'execute')
  );
}
