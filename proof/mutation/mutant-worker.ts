import { parentPort } from 'node:worker_threads';
import { type Expectation, expectations, nameOf, saidOf } from './oracle.ts';

/** The switch that the instrumented code looks at. */
type Switch = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { perTest: Record<string, Record<string, number>>; static: Record<string, number> };
  hitCount?: number;
  hitLimit?: number;
};

/** Real time, many times what a check takes, in milliseconds. */
const patienceMs = 5000;

/** What a mutant that never ends may be asked before it is taken to be one. */
const hitLimit = 300_000;

export type Order =
  | { readonly kind: 'cover' }
  /** `by`: the expectations, and what was said without the mutant. */
  | { readonly kind: 'try'; readonly mutant: string; readonly by: readonly (readonly [name: string, said: string])[] };

export type Reply =
  /** The mutants that each expectation passes by, and what is said without any of them where that is right. */
  | {
      readonly kind: 'covered';
      readonly by: Readonly<Record<string, readonly string[]>>;
      /** Those that are passed by when the code is loaded: tables, and what makes them. */
      readonly atLoad: readonly string[];
      readonly said: Readonly<Record<string, string>>;
    }
  /** `killer`: the first expectation of which something else is said. */
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
    const { text, isRight } = await saidOf(expectation);
    if (isRight) right.push([name, text]);
  }
  control.currentTestId = undefined;
  const { perTest, static: loaded } = control.mutantCoverage ?? { perTest: {}, static: {} };
  const by = Object.fromEntries(Object.entries(perTest).map(([name, hits]) => [name, Object.keys(hits)]));
  return { kind: 'covered', by, atLoad: Object.keys(loaded), said: Object.fromEntries(right) };
}

async function attempt(mutant: string, by: (Order & { kind: 'try' })['by']): Promise<Reply> {
  control.activeMutant = mutant;
  control.hitLimit = hitLimit;
  try {
    for (const [name, said] of by) {
      control.hitCount = 0;
      const expectation = byName.get(name);
      if (expectation !== undefined && (await saidNow(expectation)) !== said) return { kind: 'tried', killer: name };
    }
    return { kind: 'tried', killer: undefined };
  } finally {
    control.activeMutant = undefined;
  }
}

/** In virtual time, whoever has not ended soon waits for ever, for something that a mutant does not do any more. */
async function saidNow(expectation: Expectation): Promise<string | undefined> {
  const { promise: stuck, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), patienceMs);
  try {
    return await Promise.race([saidOf(expectation).then(({ text }) => text), stuck]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
