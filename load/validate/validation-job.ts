import { type HttpRequest, TransportError } from '../../core/http.ts';
import { decodeBody } from '../../core/network/network-coding.ts';
import { requirement } from '../../spec/catalogue.ts';
import { type Finding, judgeAnswer } from './invariants.ts';
import type { Operation } from '../../spec/requirement.ts';

/** An answer on its way to being judged; plain data, for another thread. */
export type Job = {
  readonly id: number;
  readonly operation: Operation;
  readonly caller: string;
  readonly request: HttpRequest;
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly body: Uint8Array;
};

export type JobResult = { readonly id: number; readonly findings: readonly Finding[] };

const maxDecodedBytes = 32 * 1024 * 1024;

/** Unpacks, parses and judges an answer. Never rejects. */
export async function doJob(job: Job): Promise<JobResult> {
  const { id, operation, caller, request, status, contentType, contentEncoding, body } = job;
  try {
    const decoded = await decodeBody(body, contentEncoding, maxDecodedBytes);
    const response = { status, headers: contentType === '' ? {} : { 'content-type': contentType }, body: decoded };
    const outcome = { kind: 'answered', response } as const;
    return { id, findings: judgeAnswer({ operation, caller, request, sentAt: 0, receivedAt: 0, outcome }) };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { sentence } = requirement('robustness.answered');
    const expected = 'a body in the content coding that it says';
    return { id, findings: [{ rule: 'robustness.answered', sentence, expected, actual: error.message }] };
  }
}
