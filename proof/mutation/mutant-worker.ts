import { parentPort } from 'node:worker_threads';
import { type Expectation, expectations, nameOf, outcomeOf } from './oracle.ts';
import './switch.ts';

/** An expectation that takes longer than this, in milliseconds, and this many times as long as without a mutant never ends. */
const patience = { leastMs: 2000, times: 10 } as const;

/** A mutant that is reached more often than this never ends. */
const hitLimit = 300_000;

export type Order =
  | { readonly kind: 'cover' }
  | { readonly kind: 'try'; readonly mutant: string; readonly by: readonly string[]; readonly outcomes: Outcomes };

/** Of expectations, by their names, without a mutant. */
export type Outcomes = Readonly<Record<string, { readonly text: string; readonly tookMs: number }>>;

export type Reply =
  /** The mutants that each expectation reaches, and its outcome without any of them where that is correct. */
  | {
      readonly kind: 'covered';
      readonly by: Readonly<Record<string, readonly string[]>>;
      /** Mutants that are reached when the code is loaded: tables, and what makes them. */
      readonly atLoad: readonly string[];
      readonly outcomes: Outcomes;
    }
  /** `killer`: the first expectation with another outcome. */
  | { readonly kind: 'tried'; readonly killer: string | undefined };

const control = globalThis.__stryker__;
const byName = new Map(expectations.map((expectation) => [nameOf(expectation), expectation]));

parentPort?.on('message', (order: Order) => {
  const answer = order.kind === 'cover' ? cover() : attempt(order.mutant, order.by, order.outcomes);
  void answer.then((reply) => parentPort?.postMessage(reply));
});

async function cover(): Promise<Reply> {
  const right: (readonly [string, Outcomes[string]])[] = [];
  for (const [name, expectation] of byName) {
    control.currentTestId = name;
    const startedAt = performance.now();
    const { text, isRight } = await outcomeOf(expectation);
    if (isRight) right.push([name, { text, tookMs: performance.now() - startedAt }]);
  }
  control.currentTestId = undefined;
  const { perTest, static: loaded } = control.mutantCoverage ?? { perTest: {}, static: {} };
  const by = Object.fromEntries(Object.entries(perTest).map(([name, hits]) => [name, Object.keys(hits)]));
  return { kind: 'covered', by, atLoad: Object.keys(loaded), outcomes: Object.fromEntries(right) };
}

async function attempt(mutant: string, by: readonly string[], outcomes: Outcomes): Promise<Reply> {
  control.activeMutant = mutant;
  control.hitLimit = hitLimit;
  try {
    for (const name of by) {
      control.hitCount = 0;
      const expectation = byName.get(name);
      const without = outcomes[name];
      if (expectation === undefined || without === undefined) continue;
      const mostMs = patience.leastMs + patience.times * without.tookMs;
      if ((await textWithin(expectation, mostMs)) !== without.text) return { kind: 'tried', killer: name };
    }
    return { kind: 'tried', killer: undefined };
  } finally {
    control.activeMutant = undefined;
  }
}

/** The text of an outcome; undefined where the mutant throws, or the run does not end, as when an awaited event no longer comes. */
async function textWithin(expectation: Expectation, mostMs: number): Promise<string | undefined> {
  const { promise: stuck, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), mostMs);
  try {
    return await Promise.race([outcomeOf(expectation).then(({ text }) => text), stuck]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
