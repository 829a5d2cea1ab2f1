import type { Api } from '../../engine/api.ts';
import { isDelicate } from '../lists/delicate-ids.ts';
import { givenLists } from '../lists/lists.ts';
import { isDeclared } from './declared.ts';
import { oldestIn } from './oldest.ts';
import { type Disposable, nameOf } from './still-listed.ts';
import { targetsIn } from './targets.ts';
import { twinsIn } from './twins.ts';
import { comparisonIn } from './unlike.ts';

/**
 * Why the deletion of a data source may reach something else, or show more than others: another one was created at the same time, has the
 * same ID except for case, or has an ID that is a prefix of this one or the reverse; its ID has unusual characters; models over another one
 * have relationships to its models; or it is the last of its list. The most significant come first.
 */
const risks = ['twin', 'case', 'prefix', 'delicate', 'target', 'oldest'] as const;
type Risk = (typeof risks)[number];

/**
 * Ranks a data source by what its deletion would show in addition to those of `others`: the risks that none of them has, then how
 * unlike them it is. Being the oldest always counts, unless it is left out.
 */
export async function rankIn(
  api: Api,
): Promise<(one: Disposable, others: readonly Disposable[], leaveOut?: 'oldest') => number> {
  const risksOf = await risksIn(api);
  const { unlikeness, mostUnlike } = await comparisonIn(api);
  return (one, others, leaveOut) => {
    const counts = (risk: Risk): boolean =>
      risk === 'oldest' ? leaveOut !== risk : !others.some((other) => risksOf(other).has(risk));
    const telling = [...risksOf(one)].filter(counts);
    return telling.reduce((sum, risk) => sum + weightOf(risk, mostUnlike), unlikeness(one, others));
  };
}

/** The risks of each data source. For the first three, the other one is one that no run deletes. */
async function risksIn(api: Api): Promise<(disposable: Disposable) => ReadonlySet<Risk>> {
  const lists = await givenLists(api, 'listDataSources');
  const kept = new Map(
    lists.map(({ organizationId, walk }) => [
      organizationId,
      walk.items.map(({ id }) => id).filter((id) => !isDeclared(api, organizationId, id)),
    ]),
  );
  const [hasTwin, isTarget, isOldest] = [await twinsIn(api), await targetsIn(api), await oldestIn(api)];
  const known = new Map<string, ReadonlySet<Risk>>();
  return (one) => {
    const name = nameOf(one);
    const found = known.get(name) ?? risksOf(one);
    known.set(name, found);
    return found;
  };

  function risksOf(one: Disposable): ReadonlySet<Risk> {
    const others = kept.get(one.organizationId) ?? [];
    const has: Readonly<Record<Risk, boolean>> = {
      twin: hasTwin(one),
      case: others.some((id) => id.toLowerCase() === one.id.toLowerCase()),
      prefix: others.some((id) => id.startsWith(one.id) || one.id.startsWith(id)),
      delicate: isDelicate(one.id),
      target: isTarget(one),
      oldest: isOldest(one),
    };
    return new Set(risks.filter((risk) => has[risk]));
  }
}

/** Greater than the weights of all later risks plus `mostUnlike`. */
function weightOf(risk: Risk, mostUnlike: number): number {
  return (mostUnlike + 1) * 2 ** (risks.length - 1 - risks.indexOf(risk));
}
