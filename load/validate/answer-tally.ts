import type { Finding } from './judge-answer.ts';
import { createViolationBook, type Proof, type Violations } from './violation-book.ts';

/** The answers of a part of a run, and what was found in them. */
export type TalliedAnswers = {
  /** Answers that came. */
  readonly answers: number;
  /** Answers that were judged, of which `repeated` were byte for byte the last good one to the same request. */
  readonly checked: number;
  readonly repeated: number;
  /** Answers that were not judged because too many were waiting. */
  readonly skipped: number;
  /** Answers that broke a promise, and what was wrong with them in all. */
  readonly broken: number;
  readonly findings: number;
  /** The same answers, by operation, and in a flow by step and for the whole of it. */
  readonly brokenBy: ReadonlyMap<string, number>;
  readonly violations: readonly Violations[];
};

export type AnswerTally = {
  readonly countAnswer: () => void;
  /** Counts answers that were not judged. */
  readonly countSkipped: (answers: number) => void;
  /** Counts answers that equal one that was found to be good. */
  readonly countRepeated: (answers: number) => void;
  /** Counts judged answers, all equal to the one in the proof; `repeated` of them were not judged by themselves. */
  readonly countJudged: (
    proof: Omit<Proof, 'finding'>,
    findings: readonly Finding[],
    counts: { readonly answers: number; readonly repeated: number },
  ) => void;
  readonly result: () => TalliedAnswers;
};

export function createAnswerTally(): AnswerTally {
  const book = createViolationBook();
  const brokenBy = new Map<string, number>();
  const tally = { answers: 0, checked: 0, repeated: 0, skipped: 0, broken: 0, findings: 0 };
  return {
    countAnswer: () => void (tally.answers += 1),
    countSkipped: (answers) => void (tally.skipped += answers),
    countRepeated(answers) {
      tally.checked += answers;
      tally.repeated += answers;
    },
    countJudged(proof, findings, { answers, repeated }) {
      tally.checked += answers;
      if (findings.length === 0) tally.repeated += repeated;
      if (findings.length === 0 || answers === 0) return;
      const { operation, stepNames = [] } = proof.request;
      tally.broken += answers;
      tally.findings += answers * findings.length;
      for (const name of [operation, ...stepNames]) brokenBy.set(name, (brokenBy.get(name) ?? 0) + answers);
      for (const [finding, ...more] of Map.groupBy(findings, ({ rule }) => rule).values()) {
        if (finding !== undefined) book.keep({ ...proof, finding }, answers, answers * (1 + more.length));
      }
    },
    result: () => ({ ...tally, brokenBy, violations: book.all() }),
  };
}
