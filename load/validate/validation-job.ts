import type { Exchange } from '../../core/exchange.ts';
import { type HttpRequest, maxBodyBytes, TransportError } from '../../core/http.ts';
import { decodeBody } from '../../core/network/network-coding.ts';
import { type Finding, judgeAnswer } from './judge-answer.ts';
import type { Sure } from '../schedule/load-request.ts';
import type { Operation } from '../../spec/requirement.ts';

/** An answer on its way to being judged; plain data, for another thread. */
export type Job = {
  readonly id: number;
  readonly operation: Operation;
  readonly caller: string;
  readonly request: HttpRequest;
  readonly sure: Sure | undefined;
  /** The time from sending to the end of the answer, in milliseconds. */
  readonly tookMs: number;
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly body: Uint8Array;
};

export type JobResult = { readonly id: number; readonly findings: readonly Finding[] };

/** Unpacks, parses and judges an answer. Never rejects. */
export async function doJob(job: Job): Promise<JobResult> {
  const { id, operation, caller, request, sure, tookMs } = job;
  const outcome = await unpackAnswer(job);
  // No promise that is judged here depends on when it was sent.
  return { id, findings: judgeAnswer({ operation, caller, request, sentAt: 0, receivedAt: tookMs, outcome }, sure) };
}

/** Unpacks an answer. */
export async function unpackAnswer({
  status,
  contentType,
  contentEncoding,
  body,
}: Pick<Job, 'status' | 'contentType' | 'contentEncoding' | 'body'>): Promise<Exchange['outcome']> {
  try {
    const decoded = await decodeBody(body, contentEncoding, maxBodyBytes);
    const headers: Readonly<Record<string, string>> = contentType === '' ? {} : { 'content-type': contentType };
    return { kind: 'answered', response: { status, headers, body: decoded } };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { kind: 'failed', failure: error.failure, message: error.message };
  }
}
