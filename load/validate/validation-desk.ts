import type { HttpRequest } from '../../core/http.ts';
import { createDraw } from '../schedule/draw.ts';
import { type HeaderRecord, headerOf } from '../engine/header-record.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import type { FlightTimes } from '../engine/flight-times.ts';
import type { Arrived } from '../engine/sockets.ts';
import { createAnswerTally, type TalliedAnswers } from './answer-tally.ts';
import type { Job, JobResult } from './validation-job.ts';

/** What was found in the answers of the measured part, and in those of the warm-up, which count apart. */
export type ValidationResult = TalliedAnswers & { readonly warmUp: TalliedAnswers };

export type ValidationDesk = {
  readonly offer: (request: LoadRequest, arrived: Arrived, times: FlightTimes) => void;
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
const maxRememberedBytes = 16 * 1024 * 1024;
const shareLabel = 3;

type Waiting = {
  readonly request: LoadRequest;
  readonly sent: HttpRequest;
  readonly job: Job;
  readonly headers: HeaderRecord;
  readonly at: number;
  /** The part of the run in which the first of them came. */
  readonly first: Part;
  /** Answers that were byte for byte this one, in the measured part and in the warm-up. */
  measured: number;
  warmUp: number;
};

const parts = ['measured', 'warmUp'] as const;
type Part = (typeof parts)[number];

type Seen = { readonly status: number; readonly body: Uint8Array };

/**
 * Decides which answers are worth a look. One that equals the last good one to the same request is good without another;
 * one that equals an answer that is being looked at shares its fate; of the rest a share goes to `judge`.
 */
export function createValidationDesk(share: number, seed: number, judge: (job: Job) => void): ValidationDesk {
  const draw = createDraw(seed);
  const good = createRemembered();
  const waiting = new Map<number, Waiting>();
  const latest = new Map<LoadRequest, Waiting>();
  let waitingBytes = 0;
  const tallies = { measured: createAnswerTally(), warmUp: createAnswerTally() };
  let offered = 0;

  function offer(request: LoadRequest, arrived: Arrived, { sentAt, endedAt, isWarmUp }: FlightTimes): void {
    if (typeof arrived.outcome !== 'number') return;
    const part = isWarmUp ? 'warmUp' : 'measured';
    offered += 1;
    tallies[part].countAnswer();
    if (share < 1 && draw.at(offered, shareLabel) >= share) return;
    const status = arrived.outcome;
    if (arrived.isUnkept === true) return tallies[part].countSkipped(1);
    if (request.repeats && isLike(good.get(request), status, arrived.body)) {
      tallies[part].countRepeated(1);
      return;
    }
    const twin = latest.get(request);
    if (twin !== undefined && isLike(twin.job, status, arrived.body)) twin[part] += 1;
    else enqueue(request, arrived, status, part, endedAt - sentAt);
  }

  function enqueue(request: LoadRequest, arrived: Arrived, status: number, part: Part, tookMs: number): void {
    // In memory of its own: handing a slice to another thread would copy all that it is a slice of.
    const body = new Uint8Array(Buffer.concat(arrived.body));
    if (waiting.size >= maxWaiting || waitingBytes + body.length > maxWaitingBytes) {
      tallies[part].countSkipped(1);
      return;
    }
    const headers = arrived.headers();
    const job = jobOf(offered, request, { status, headers, body, tookMs });
    const sent = arrived.sent?.() ?? request.request;
    const entry: Waiting = { request, sent, job, headers, at: performance.now(), first: part, measured: 0, warmUp: 0 };
    entry[part] = 1;
    waiting.set(job.id, entry);
    waitingBytes += body.length;
    if (request.repeats) latest.set(request, entry);
    judge(job);
  }

  function settle({ id, findings }: JobResult): void {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    const { request, sent, job, headers, at } = entry;
    waiting.delete(id);
    waitingBytes -= job.body.length;
    if (latest.get(request) === entry) latest.delete(request);
    const proof = { request: { ...request, request: sent }, status: job.status, headers, body: job.body, at };
    for (const part of parts) {
      const repeated = request.repeats ? entry[part] - (part === entry.first ? 1 : 0) : 0;
      tallies[part].countJudged(proof, findings, { answers: entry[part], repeated });
    }
    if (findings.length > 0 || !request.repeats) return;
    good.set(request, job);
  }

  function result(): ValidationResult {
    const resultOf = (part: Part) => {
      const tallied = tallies[part].result();
      const left = [...waiting.values()].reduce((sum, entry) => sum + entry[part], 0);
      return { ...tallied, skipped: tallied.skipped + left };
    };
    return { ...resultOf('measured'), warmUp: resultOf('warmUp') };
  }

  return { offer, settle, waiting: () => waiting.size, result };
}

/** The last good answers, within bounds. */
function createRemembered() {
  const seen = new Map<LoadRequest, Seen>();
  let bytes = 0;
  return {
    get: (request: LoadRequest) => seen.get(request),
    set(request: LoadRequest, answer: Seen): void {
      const { length } = answer.body;
      if (seen.size >= maxRemembered || bytes + length > maxRememberedBytes) {
        seen.clear();
        bytes = 0;
      }
      if (length > maxRememberedBytes) return;
      bytes += length - (seen.get(request)?.body.length ?? 0);
      seen.set(request, answer);
    },
  };
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

type ToJudge = Pick<Job, 'status' | 'body' | 'tookMs'> & { readonly headers: HeaderRecord };

function jobOf(id: number, request: LoadRequest, { status, headers, body, tookMs }: ToJudge): Job {
  return {
    id,
    operation: request.operation,
    caller: request.caller,
    request: request.request,
    sure: request.sure,
    tookMs,
    status,
    contentType: headerOf(headers, 'content-type'),
    contentEncoding: headerOf(headers, 'content-encoding'),
    body,
  };
}
