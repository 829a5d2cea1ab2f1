import { parentPort } from 'node:worker_threads';
import { type Expectation, expectations, holds, nameOf } from './oracle.ts';

/** The switch that the instrumented code looks at. */
type Switch = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { perTest: Record<string, Record<string, number>> };
  hitCount?: number;
  hitLimit?: number;
};

/** Real time, many times what a check takes, in milliseconds. */
const patienceMs = 5000;

/** What a mutant that never ends may be asked before it is taken to be one. */
const hitLimit = 300_000;

export type Order =
  { readonly kind: 'cover' } | { readonly kind: 'try'; readonly mutant: string; readonly by: readonly string[] };

export type Reply =
  | {
      readonly kind: 'covered';
      readonly by: Readonly<Record<string, readonly string[]>>;
      readonly broken: readonly string[];
    }
  /** `killer`: the first expectation that does not hold any more. */
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

/** Which mutants each expectation passes by, and the expectations that do not hold without any mutant. */
async function cover(): Promise<Reply> {
  const broken: string[] = [];
  for (const [name, expectation] of byName) {
    control.currentTestId = name;
    if (!(await holds(expectation))) broken.push(name);
  }
  control.currentTestId = undefined;
  const perTest = Object.entries(control.mutantCoverage?.perTest ?? {});
  return { kind: 'covered', by: Object.fromEntries(perTest.map(([name, hits]) => [name, Object.keys(hits)])), broken };
}

async function attempt(mutant: string, by: readonly string[]): Promise<Reply> {
  control.activeMutant = mutant;
  control.hitLimit = hitLimit;
  try {
    for (const name of by) {
      control.hitCount = 0;
      const expectation = byName.get(name);
      if (expectation !== undefined && !(await stillHolds(expectation))) return { kind: 'tried', killer: name };
    }
    return { kind: 'tried', killer: undefined };
  } finally {
    control.activeMutant = undefined;
  }
}

/** In virtual time, whoever has not ended soon waits for ever, for something that a mutant does not do any more. */
async function stillHolds(expectation: Expectation): Promise<boolean> {
  const { promise: stuck, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), patienceMs);
  try {
    return await Promise.race([holds(expectation), stuck]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
