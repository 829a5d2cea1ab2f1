import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type HttpRequest, type HttpResponse, TransportError } from '../http.ts';
import { createTransfers, type Transfer } from './transfers.ts';

const mebibyte = 1024 * 1024;

/** The memory that answers may take in all, and above which large ones wait until checks end, in bytes. It is estimated. */
const most = 112 * mebibyte;
const waitsAbove = 56 * mebibyte;
/** What large answers that arrive may take, in bytes. */
const mostArriving = 32 * mebibyte;
/** How long a large answer waits, and the pause between two looks, in milliseconds. */
const maxWaitMs = 2000;
const pauseMs = 50;
/** What answers may take more than what is left after waiting in vain, in bytes. */
const headroom = 16 * mebibyte;

/** A smaller answer is not counted: a check keeps few of them. In bytes. */
const leastBytes = 1024;
/** The most names and values of an answer. No page of 100 items comes near. */
const maxValues = 1_000_000;
/** What a name or a value takes at most when it is parsed, in bytes. */
const bytesOfValue = 64;

/** The memory of the answers that a run still refers to, and of those that arrive. No target can exceed it. */
export type AnswerMemory = {
  readonly transfer: () => Transfer;
  /** Counts an answer, and the path of its request, which can hold an ID of the target, until nothing refers to it. Throws TransportError if it is too large, alone or with the others. */
  readonly count: (response: HttpResponse, request: Pick<HttpRequest, 'path'>) => void;
  /** Gives the memory back. Other threads of the process may need it. */
  readonly end: () => void;
};

export function createAnswerMemory(): AnswerMemory {
  let counted: { readonly response: WeakRef<HttpResponse>; readonly bytes: number }[] = [];
  let bytes = 0;
  let waits = waitsAbove;
  const transferOf = createTransfers(mostArriving);

  /** Forgets the answers that nothing refers to. References that were read in this turn of the event loop count. */
  function sweep(): void {
    collectGarbage();
    counted = counted.filter(({ response }) => response.deref() !== undefined);
    bytes = counted.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes < waitsAbove) waits = waitsAbove;
  }

  /** Resolves when there is room for another large answer, or after a while, because checks need what they keep. */
  async function room(): Promise<void> {
    const endsAt = performance.now() + maxWaitMs;
    while (bytes > waits) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (bytes > waits) sweep();
      if (performance.now() > endsAt) waits = Math.max(waits, bytes + headroom);
    }
  }

  return {
    transfer() {
      const transfer = transferOf();
      return { ...transfer, begin: (size) => transfer.begin(size).then(room) };
    },
    count(response, { path }) {
      const beside = Object.entries(response.headers).reduce(
        (sum, [name, value]) => sum + name.length + value.length,
        path.length,
      );
      if (response.body.length + beside < leastBytes) return;
      const own = weightOf(response.body) + beside;
      if (bytes + own > most) sweep();
      if (bytes + own > most) {
        throw new TransportError('too-large', `The answers that the run still needs take over ${most / mebibyte} MiB.`);
      }
      bytes += own;
      counted.push({ response: new WeakRef(response), bytes: own });
    },
    end() {
      if (bytes > headroom) sweep();
    },
  };
}

/** What a body takes with its text and its values, in bytes. Throws TransportError if it has too many values. */
function weightOf(body: Uint8Array): number {
  let values = 0;
  for (const byte of body) if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) values += 1; // , : [ {
  if (values > maxValues)
    throw new TransportError('too-large', `The body has more than ${maxValues} names and values.`);
  return 2 * body.length + bytesOfValue * values;
}

let collect: (() => void) | undefined;

/** Without it, answers that nothing refers to any more would count. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    const exposed: unknown = runInNewContext('gc');
    collect = typeof exposed === 'function' ? () => void exposed() : () => {};
  }
  collect();
}
