import { parentPort } from 'node:worker_threads';
import { type Expectation, expectations, nameOf, outcomeOf } from './oracle.ts';

/** The instrumented code reads its active mutant from this object, and counts here. */
type Switch = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { perTest: Record<string, Record<string, number>>; static: Record<string, number> };
  hitCount?: number;
  hitLimit?: number;
};

/** Real time for one expectation, in milliseconds: many times what it takes without a mutant. */
const patienceMs = 5000;

/** A mutant that is reached more often than this never ends. */
const hitLimit = 300_000;

export type Order =
  | { readonly kind: 'cover' }
  /** `by`: expectations, and their outcomes without the mutant. */
  | { readonly kind: 'try'; readonly mutant: string; readonly by: readonly (readonly [name: string, text: string])[] };

export type Reply =
  /** The mutants that each expectation reaches, and its outcome without any of them where that is correct. */
  | {
      readonly kind: 'covered';
      readonly by: Readonly<Record<string, readonly string[]>>;
      /** Mutants that are reached when the code is loaded: tables, and what makes them. */
      readonly atLoad: readonly string[];
      readonly outcomes: Readonly<Record<string, string>>;
    }
  /** `killer`: the first expectation with another outcome. */
  | { readonly kind: 'tried'; readonly killer: string | undefined };

declare global {
  /** Made by the instrumented code. */
  var __stryker__: Switch;
}

const control = globalThis.__stryker__;
const byName = new Map(expectations.map((expectation) => [nameOf(expectation), expectation]));

parentPort?.on('message', (order: Order) => {
  const answer = order.kind === 'cover' ? cover() : attempt(order.mutant, order.by);
  void answer.then((reply) => parentPort?.postMessage(reply));
});

async function cover(): Promise<Reply> {
  const right: (readonly [string, string])[] = [];
  for (const [name, expectation] of byName) {
    control.currentTestId = name;
    const { text, isRight } = await outcomeOf(expectation);
    if (isRight) right.push([name, text]);
  }
  control.currentTestId = undefined;
  const { perTest, static: loaded } = control.mutantCoverage ?? { perTest: {}, static: {} };
  const by = Object.fromEntries(Object.entries(perTest).map(([name, hits]) => [name, Object.keys(hits)]));
  return { kind: 'covered', by, atLoad: Object.keys(loaded), outcomes: Object.fromEntries(right) };
}

async function attempt(mutant: string, by: (Order & { kind: 'try' })['by']): Promise<Reply> {
  control.activeMutant = mutant;
  control.hitLimit = hitLimit;
  try {
    for (const [name, text] of by) {
      control.hitCount = 0;
      const expectation = byName.get(name);
      if (expectation !== undefined && (await textWithin(expectation)) !== text) return { kind: 'tried', killer: name };
    }
    return { kind: 'tried', killer: undefined };
  } finally {
    control.activeMutant = undefined;
  }
}

/** The text of an outcome; undefined where the mutant throws, or the run does not end, as when an awaited event no longer comes. */
async function textWithin(expectation: Expectation): Promise<string | undefined> {
  const { promise: stuck, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  try {
    return await Promise.race([outcomeOf(expectation).then(({ text }) => text), stuck]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
