import type { Item } from '../data/item.ts';
import type { Rules } from '../rules/rules.ts';
import type { Altered, Choice } from '../variation.ts';

/** How long a change takes from one node to the others, in milliseconds. */
const lagMs = 2000;

/** Lists and counts of a node miss the changes of other nodes for a while. */
function lagging(count: number): (rules: Rules) => Altered {
  return (rules) => {
    const deletedAtNode = new Map<Item, number>();
    const attached = new Map<string, { readonly at: number; readonly node: number }>();
    return {
      entryPoints: () => count,
      onDeleted: (item, { node }) => void deletedAtNode.set(item, node),
      deletedListed: (item, deletedAt, request) =>
        rules.deletedListed(item, deletedAt, request) ||
        (request.operation === 'listDataSources' &&
          deletedAtNode.get(item) !== request.node &&
          request.at < deletedAt + lagMs),
      onAttached(id, { at, node }) {
        if (!attached.has(id)) attached.set(id, { at, node });
      },
      organizationCount(owner, attachments, request) {
        const known = attachments.filter((id) => {
          const made = attached.get(id);
          return made === undefined || made.node === request.node || request.at >= made.at + lagMs;
        });
        return rules.organizationCount(owner, known, request);
      },
    };
  };
}

export const entryPointChoices: readonly Choice[] = [
  {
    axis: 'entry-points',
    section: '1',
    sentence:
      'The number of entry points, how soon one shows a change made through another, and whether each counts requests separately.',
    default: 'one',
    values: {
      one: {},
      two: { alter: () => ({ entryPoints: () => 2 }) },
      'two-lagging': { alter: lagging(2) },
      'three-lagging': { alter: lagging(3) },
      'two-counting-apart': {
        alter: (rules) => ({
          entryPoints: () => 2,
          rateBucket: (token, request) => `${request.node} ${rules.rateBucket(token, request)}`,
        }),
      },
    },
  },
];
