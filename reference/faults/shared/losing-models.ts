import type { Refusal } from '../../http/ask.ts';
import type { Rules } from '../../rules/rules.ts';

/** A deletion that is refused in that way leaves the data source, and takes its models. */
export function losingModels(rules: Rules, isSuch: (why: Refusal) => boolean): Partial<Rules> {
  const emptied = new Set<string>();
  return {
    actsThoughRefused: (why, ask) => {
      if (ask.operation === 'deleteDataSource' && isSuch(why)) emptied.add(ask.ids.sourceId);
      return rules.actsThoughRefused(why, ask);
    },
    modelsOf: (own, foreign, ask) => rules.modelsOf(own, foreign, ask).filter((model) => !emptied.has(model.sourceId)),
  };
}
