import type { Exchange } from '../core/exchange.ts';
import type { Lanes } from './history/lanes.ts';

/** The deployment broke a promise. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly expected: string;
  readonly actual: string;
  /** The exchanges that prove it; empty stands for the last exchange of the check. */
  readonly evidence: readonly Exchange[];
  /** Set if no order of overlapping requests explains their answers. */
  readonly lanes: Lanes | undefined;

  constructor(expected: string, actual: string, evidence: readonly Exchange[] = [], lanes?: Lanes) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.evidence = evidence;
    this.lanes = lanes;
  }
}

/** Something happened so late that it is wrong. What the run sends at the same time may delay it, so it is judged again alone. */
export class Late extends Violation {}

/** The check has excluded other traffic as the cause itself. */
export class Certain extends Violation {}

/** A violation that other traffic may explain. */
export class Doubtful extends Violation {
  /** Called once other traffic was seen. Throws {@link Certain} if it is not the cause. */
  readonly excludeOthers: () => Promise<void>;

  constructor(expected: string, actual: string, evidence: readonly Exchange[], excludeOthers: () => Promise<void>) {
    super(expected, actual, evidence);
    this.excludeOthers = excludeOthers;
  }
}

/** A precondition of the check is missing, so the check says nothing about the deployment. */
export class Blocked extends Error {
  override readonly name = 'Blocked';
}

/** The deployment did not answer for longer than a restart takes: a gateway answered in its place. */
export class Away extends Blocked {}

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
      readonly lanes?: Lanes | undefined;
    }
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly evidence: readonly Exchange[];
      /** `target`: it stopped answering during the run. */
      readonly fault?: 'target';
    }
  | {
      readonly kind: 'errored';
      readonly reason: string;
      readonly evidence: readonly Exchange[];
      /** `target`: it gave no usable answer. `suite`: the check itself failed. */
      readonly fault: 'target' | 'suite';
    };
