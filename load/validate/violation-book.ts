import type { Finding } from './judge-answer.ts';
import type { LoadRequest } from '../schedule/load-request.ts';
import type { HeaderRecord } from '../engine/header-record.ts';

/** An answer that broke a promise. */
export type Proof = {
  readonly finding: Finding;
  readonly request: LoadRequest;
  readonly status: number;
  readonly headers: HeaderRecord;
  readonly body: Uint8Array;
  /** When it arrived, on `performance.now()`. */
  readonly at: number;
};

/** One promise that answers of one operation broke. */
export type Violations = {
  readonly finding: Finding;
  readonly request: LoadRequest;
  /** Answers that broke it. */
  count: number;
  /** What was wrong with them: one answer can break a promise in several ways. */
  findings: number;
  /** The first of them. */
  readonly proofs: readonly Proof[];
};

export type ViolationBook = {
  /** Keeps what `count` answers, equal to the one in the proof, are accused of: in all `findings` by one promise. */
  readonly keep: (proof: Proof, count: number, findings: number) => void;
  readonly all: () => readonly Violations[];
};

const maxProofs = 3;
const maxKinds = 40;
/** In bytes, of the bodies in all proofs. */
const maxProofBytes = 16 * 1024 * 1024;

/** Bounded in promises and in proofs of each; only counts grow. */
export function createViolationBook(): ViolationBook {
  const book = new Map<string, Violations & { readonly proofs: Proof[] }>();
  let bytes = 0;
  return {
    keep(proof, count, findings) {
      const kind = `${proof.request.operation} ${proof.finding.rule}`;
      if (!book.has(kind) && book.size >= maxKinds) return;
      const known = book.get(kind) ?? {
        finding: proof.finding,
        request: proof.request,
        count: 0,
        findings: 0,
        proofs: [],
      };
      book.set(kind, known);
      known.count += count;
      known.findings += findings;
      if (known.proofs.length >= maxProofs || bytes + proof.body.length > maxProofBytes) return;
      bytes += proof.body.length;
      known.proofs.push(proof);
    },
    all: () => [...book.values()],
  };
}
