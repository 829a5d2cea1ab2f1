import type { Rules } from '../../rules/rules.ts';

/** The turns of the requests whose key was found, and the rule that notes them. */
export function notedRepetitions(rules: Rules): { repeated: ReadonlySet<number>; noting: Partial<Rules> } {
  const repeated = new Set<number>();
  return {
    repeated,
    noting: {
      replayStartsAgain: (exchange, request) => {
        repeated.add(request.turn);
        return rules.replayStartsAgain(exchange, request);
      },
    },
  };
}
