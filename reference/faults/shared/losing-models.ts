import type { Refusal } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';

/** A deletion that is refused in that way leaves the data source, and takes its models. */
export function losingModels(rules: Rules, isSuch: (why: Refusal) => boolean): Partial<Rules> {
  const emptied = new Set<string>();
  return {
    actsThoughRefused: (why, request) => {
      if (request.operation === 'deleteDataSource' && isSuch(why)) emptied.add(request.ids.sourceId);
      return rules.actsThoughRefused(why, request);
    },
    modelsOf: (own, foreign, request) =>
      rules.modelsOf(own, foreign, request).filter((model) => !emptied.has(model.sourceId)),
  };
}
