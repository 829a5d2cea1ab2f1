import { createDraw } from '../schedule/draw.ts';
import type { HeaderRecord } from '../engine/header-record.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import type { Arrived } from '../engine/sockets.ts';
import type { Job, JobResult } from './validation-job.ts';
import { createViolationBook, type Violations } from './violation-book.ts';

export type ValidationResult = {
  /** Answers that came. */
  readonly answers: number;
  /** Answers that were judged, of which `repeated` were byte for byte the last good one to the same request. */
  readonly checked: number;
  readonly repeated: number;
  /** Answers that were not judged because too many were waiting. */
  readonly skipped: number;
  /** Answers that broke a promise. */
  readonly broken: number;
  readonly violations: readonly Violations[];
};

export type ValidationDesk = {
  readonly offer: (request: LoadRequest, arrived: Arrived) => void;
  readonly settle: (result: JobResult) => void;
  readonly waiting: () => number;
  /** What is known now; what still waits counts as skipped. */
  readonly result: () => ValidationResult;
};

/** Answers that wait to be judged: more are left out. */
const maxWaiting = 500;
const maxWaitingBytes = 32 * 1024 * 1024;
/** Requests of which the last good answer is remembered. */
const maxRemembered = 500;
const shareLabel = 3;

type Waiting = {
  readonly request: LoadRequest;
  readonly job: Job;
  readonly headers: HeaderRecord;
  readonly at: number;
  /** Answers that were byte for byte this one. */
  count: number;
};

type Seen = { readonly status: number; readonly body: Uint8Array };

/**
 * Decides which answers are worth a look. One that equals the last good one to the same request is good without another;
 * one that equals an answer that is being looked at shares its fate; of the rest a share goes to `judge`.
 */
export function createValidationDesk(share: number, seed: number, judge: (job: Job) => void): ValidationDesk {
  const draw = createDraw(seed);
  const book = createViolationBook();
  const good = new Map<LoadRequest, Seen>();
  const waiting = new Map<number, Waiting>();
  const latest = new Map<LoadRequest, Waiting>();
  let waitingBytes = 0;
  const tally = { answers: 0, checked: 0, repeated: 0, skipped: 0, broken: 0 };

  function offer(request: LoadRequest, arrived: Arrived): void {
    if (typeof arrived.outcome !== 'number') return;
    tally.answers += 1;
    if (share < 1 && draw.at(tally.answers, shareLabel) >= share) return;
    const status = arrived.outcome;
    if (request.repeats && isLike(good.get(request), status, arrived.body)) {
      tally.checked += 1;
      tally.repeated += 1;
      return;
    }
    const twin = latest.get(request);
    if (twin !== undefined && isLike(twin.job, status, arrived.body)) twin.count += 1;
    else enqueue(request, arrived, status);
  }

  function enqueue(request: LoadRequest, arrived: Arrived, status: number): void {
    const body = joined(arrived.body);
    if (waiting.size >= maxWaiting || waitingBytes + body.length > maxWaitingBytes) {
      tally.skipped += 1;
      return;
    }
    const headers = arrived.headers();
    const job: Job = {
      id: tally.answers,
      operation: request.operation,
      caller: request.caller,
      request: request.request,
      status,
      contentType: headerOf(headers, 'content-type'),
      contentEncoding: headerOf(headers, 'content-encoding'),
      body,
    };
    const entry: Waiting = { request, job, headers, at: performance.now(), count: 1 };
    waiting.set(job.id, entry);
    waitingBytes += body.length;
    if (request.repeats) latest.set(request, entry);
    judge(job);
  }

  function settle({ id, findings }: JobResult): void {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    const { request, job, headers, at, count } = entry;
    waiting.delete(id);
    waitingBytes -= job.body.length;
    if (latest.get(request) === entry) latest.delete(request);
    tally.checked += count;
    for (const finding of findings) {
      book.keep({ finding, request, status: job.status, headers, body: job.body, at }, count);
    }
    if (findings.length > 0) {
      tally.broken += count;
    } else if (request.repeats) {
      tally.repeated += count - 1;
      if (good.size >= maxRemembered) good.clear();
      good.set(request, job);
    }
  }

  function result(): ValidationResult {
    const left = [...waiting.values()].reduce((sum, { count }) => sum + count, 0);
    return { ...tally, skipped: tally.skipped + left, violations: book.all() };
  }

  return { offer, settle, waiting: () => waiting.size, result };
}

function isLike(seen: Seen | undefined, status: number, pieces: readonly Uint8Array[]): boolean {
  if (seen === undefined || seen.status !== status) return false;
  let at = 0;
  for (const piece of pieces) {
    const part = seen.body.subarray(at, at + piece.length);
    if (part.length < piece.length || Buffer.compare(part, piece) !== 0) return false;
    at += piece.length;
  }
  return at === seen.body.length;
}

/** In memory of its own: handing a slice to another thread would copy all that it is a slice of. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function headerOf(headers: HeaderRecord, name: string): string {
  const value = headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(', ');
}
