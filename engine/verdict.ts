import type { Exchange } from '../core/exchange.ts';

/** The deployment broke a promise. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly actual: string;
  /** The exchanges that prove it; empty stands for the last exchange of the check. */
  readonly evidence: readonly Exchange[];

  constructor(expected: string, actual: string, evidence: readonly Exchange[] = []) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.evidence = evidence;
  }
}

/** A precondition of the check is missing, so the check says nothing about the deployment. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** The shrunk values for which a property fails, and what replays them. */
export type Counterexample = {
  readonly seed: number;
  /** The path of fast-check to the shrunk case. */
  readonly path: string;
  /** The shrunk values, as text. */
  readonly values: string;
};

export type Verdict =
  | { readonly kind: 'passed' }
  | {
      readonly kind: 'violated';
      readonly expected: string;
      readonly actual: string;
      readonly evidence: readonly Exchange[];
      readonly counterexample: Counterexample | undefined;
    }
  | { readonly kind: 'blocked'; readonly reason: string; readonly evidence: readonly Exchange[] }
  | {
      readonly kind: 'errored';
      readonly reason: string;
      readonly evidence: readonly Exchange[];
      /** `target`: it gave no usable answer. `suite`: the check itself failed. */
      readonly fault: 'target' | 'suite';
    };
