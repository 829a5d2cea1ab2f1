import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type HttpRequest, type HttpResponse, TransportError } from '../http.ts';
import { createTransfers, type Transfer } from './transfers.ts';

const mebibyte = 1024 * 1024;

/** The most memory of all answers, and the amount above which large answers wait until checks end. Both are estimates, in bytes. */
const most = 112 * mebibyte;
const waitsAbove = 56 * mebibyte;
/** The most memory of large answers while they arrive, in bytes. */
const mostArriving = 24 * mebibyte;
/** How long a large answer waits, and the first pause between two looks, in milliseconds. Each look collects garbage, so pauses double. */
const maxWaitMs = 2000;
const firstPauseMs = 50;
/** If waiting frees no room, answers may take this much more than those still in use, in bytes. */
const headroom = 16 * mebibyte;

/** Smaller answers do not count, because a check keeps few of them. In bytes. */
const leastBytes = 1024;
/** The most names and values of an answer. A page of 100 items has far fewer. */
const maxValues = 1_000_000;
/** The memory of a parsed name, of a value, and of an object or array beside its values, in bytes. Few answers take as much. */
const bytesOfName = 24;
const bytesOfValue = 40;
const bytesOfHolder = 88;

/** The memory of the answers that a run still refers to, and of those that arrive. No target can exceed it. */
export type AnswerMemory = {
  readonly transfer: () => Transfer;
  /**
   * Counts an answer until nothing refers to it. The path of its request counts too, because it can hold an ID of the target. Throws
   * TransportError if the answer is too large, alone or with the others.
   */
  readonly count: (response: HttpResponse, request: Pick<HttpRequest, 'path'>) => void;
  /** Frees the memory, which other threads of the process may need. */
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
    for (let pauseMs = firstPauseMs; bytes > waits; pauseMs *= 2) {
      const leftMs = Math.max(0, endsAt - performance.now());
      await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, leftMs)));
      if (bytes > waits) sweep();
      if (performance.now() >= endsAt) waits = Math.max(waits, bytes + headroom);
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

/** The memory of a body with its text and its values, in bytes. Throws TransportError if it has too many values. */
function weightOf(body: Uint8Array): number {
  const { names, values, holders } = countIn(body);
  if (names + values + holders > maxValues)
    throw new TransportError('too-large', `The body has more than ${maxValues} names and values.`);
  return 2 * body.length + bytesOfName * names + bytesOfValue * values + bytesOfHolder * holders;
}

type Counts = { readonly names: number; readonly values: number; readonly holders: number };

/** How many of them JSON has. A text is one value, whatever signs it holds: SQL is full of commas. */
function countIn(body: Uint8Array): Counts {
  let names = 0;
  let values = 0;
  let holders = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === 0x22) inText = !inText; // "
    else if (inText) at += byte === 0x5c ? 1 : 0; // what follows a backslash ends no text
    else if (byte === 0x3a) names += 1; // :
    else if (byte === 0x2c) values += 1; // ,
    else if (byte === 0x5b || byte === 0x7b) holders += 1; // [ {
  }
  return { names, values, holders };
}

let collect: (() => void) | undefined;

/** Collects garbage. Without this, answers that are no longer in use would still count. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    const exposed: unknown = runInNewContext('gc');
    collect = typeof exposed === 'function' ? () => void exposed() : () => {};
  }
  collect();
}
