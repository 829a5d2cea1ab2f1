import { TransportError } from '../../core/http.ts';
import { parseJson } from '../../core/json.ts';
import { decodeBody } from '../../core/network/network-coding.ts';
import { requirement } from '../../spec/catalogue.ts';
import { type Finding, judgeAnswer } from './invariants.ts';
import type { Expectation } from '../schedule/load-request.ts';

/** An answer on its way to being judged; plain data, for another thread. */
export type Job = {
  readonly id: number;
  readonly expectation: Expectation;
  readonly status: number;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly body: Uint8Array;
};

export type JobResult = { readonly id: number; readonly findings: readonly Finding[] };

const maxDecodedBytes = 32 * 1024 * 1024;

/** Unpacks, parses and judges an answer. Never rejects. */
export async function doJob({ id, expectation, status, contentType, contentEncoding, body }: Job): Promise<JobResult> {
  try {
    const decoded = await decodeBody(body, contentEncoding, maxDecodedBytes);
    const { value, problem } = parseJson(decoded);
    return {
      id,
      findings: judgeAnswer(expectation, { status, contentType, bytes: decoded.length, json: value, problem }),
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const { sentence } = requirement('robustness.answered');
    const expected = 'a body in the content coding that it says';
    return { id, findings: [{ rule: 'robustness.answered', sentence, expected, actual: error.message }] };
  }
}
