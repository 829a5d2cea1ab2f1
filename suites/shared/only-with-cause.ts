import { hash } from '../../core/hash.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { Certain, Doubtful } from '../../engine/verdict.ts';

/** How often the effect is looked for with and without its suspected cause. Other traffic seldom keeps to that. */
export const pairs = 4;

/** Whether the effect appeared, and the answers that show it. */
export type Tried = { readonly appeared: boolean; readonly shown: readonly Answer[] };

/**
 * For a {@link Doubtful} violation: tries in turn with and without the suspected cause. If the effect appears each time with
 * the cause, and never without it, the cause is certain, and not other traffic. Otherwise, or once a try shows nothing, this returns. The
 * order within each pair is random, because another client may keep to an interval.
 */
export async function mustNotAppearOnlyWith(
  api: Api,
  tryOnce: (withCause: boolean) => Promise<Tried | undefined>,
  expected: string,
  actual: string,
): Promise<void> {
  const evidence: Answer[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const isFirst = hash(`${api.seed} ${pair}`) % 2 === 0;
    for (const withCause of [isFirst, !isFirst]) {
      const tried = await tryOnce(withCause);
      if (tried?.appeared !== withCause) return;
      if (withCause) evidence.push(...tried.shown);
    }
  }
  const exchanges = evidence.map(({ exchange }) => exchange);
  throw new Certain(expected, actual, exchanges);
}

/** Throws a {@link Doubtful} violation with the answers that prove it, unless the condition holds. */
export function mustBeyondDoubt(
  holds: boolean,
  expected: string,
  actual: string,
  shown: readonly Answer[],
  excludeOthers: () => Promise<void>,
): void {
  if (holds) return;
  const evidence = shown.map(({ exchange }) => exchange);
  throw new Doubtful(expected, actual, evidence, excludeOthers);
}
