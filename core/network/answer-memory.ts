import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type HttpRequest, type HttpResponse, TransportError } from '../http.ts';
import { sha256 } from '../hash.ts';
import { leastSharedBytes } from '../shared-records.ts';
import { type Weight, weightOf } from './weight.ts';
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
type Counted = { readonly body: WeakRef<Uint8Array>; readonly weight: Weight };

/** The memory of the answers that a run still refers to, and of those that arrive. No target can exceed it. */
export type AnswerMemory = {
  readonly transfer: () => Transfer;
  /**
   * Counts an answer until nothing refers to its body. The path of its request counts too, because it can hold an ID of the target.
   * Returns the answer, with an equal body that is in use already if there is one. Throws TransportError if it is too large, alone or
   * with the others.
   */
  readonly count: (response: HttpResponse, request: Pick<HttpRequest, 'path'>) => HttpResponse;
  /** Frees the memory, which other threads of the process may need. */
  readonly end: () => void;
};

export function createAnswerMemory(): AnswerMemory {
  let counted: Counted[] = [];
  /** The records of the bodies in use, by their digests. */
  let records = new Map<string, number>();
  /** Large bodies in use, by their digests. */
  const bodies = new Map<string, WeakRef<Uint8Array>>();
  let bytes = 0;
  let waits = waitsAbove;
  const transferOf = createTransfers(mostArriving);

  /** Forgets the answers that nothing refers to. References that were read in this turn of the event loop count. */
  function sweep(): void {
    collectGarbage();
    const inUse = counted.filter(({ body }) => body.deref() !== undefined);
    [counted, records, bytes] = [[], new Map(), 0];
    for (const one of inUse) add(one);
    for (const [name, body] of bodies) if (body.deref() === undefined) bodies.delete(name);
    if (bytes < waitsAbove) waits = waitsAbove;
  }

  function add(one: Counted): void {
    counted.push(one);
    bytes += addedBy(one.weight);
    for (const record of one.weight.records) records.set(record.name, record.bytes);
  }

  /** How much a body takes beside those in use. */
  function addedBy({ bytes: own, records: shown }: Weight): number {
    const fresh = new Map(shown.filter(({ name }) => !records.has(name)).map((record) => [record.name, record.bytes]));
    return own + [...fresh.values()].reduce((sum, of) => sum + of, 0);
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
      if (response.body.length + beside < leastBytes) return response;
      const name = response.body.length < leastSharedBytes ? undefined : sha256(response.body);
      const known = name === undefined ? undefined : bodies.get(name)?.deref();
      const own = known === undefined ? weightOf(response.body) : { bytes: 0, records: [] };
      const weight = { ...own, bytes: own.bytes + beside };
      if (bytes + addedBy(weight) > most) sweep();
      if (bytes + addedBy(weight) > most) {
        throw new TransportError('too-large', `The answers that the run still needs take over ${most / mebibyte} MiB.`);
      }
      const body = known ?? response.body;
      add({ body: new WeakRef(body), weight });
      if (name !== undefined) bodies.set(name, new WeakRef(body));
      return known === undefined ? response : { ...response, body };
    },
    end() {
      if (bytes > headroom) sweep();
    },
  };
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
