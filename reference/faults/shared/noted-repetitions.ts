import type { Rules } from '../../rules/rules.ts';

/** The turns of the requests whose key was found, and the rule that notes them. */
export function notedRepetitions(rules: Rules): { repeated: ReadonlySet<number>; noting: Partial<Rules> } {
  const repeated = new Set<number>();
  return {
    repeated,
    noting: {
      replayStartsAgain: (exchange, ask) => {
        repeated.add(ask.turn);
        return rules.replayStartsAgain(exchange, ask);
      },
    },
  };
}
