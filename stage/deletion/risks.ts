import type { Api } from '../../engine/api.ts';
import { isDelicate } from '../lists/delicate-ids.ts';
import { givenLists } from '../lists/lists.ts';
import { isDeclared } from './declared.ts';
import { oldestIn } from './oldest.ts';
import { type Disposable, nameOf } from './still-listed.ts';
import { twinsIn } from './twins.ts';
import { comparisonIn } from './unlike.ts';

/**
 * Why the deletion of a data source may reach something else, or show more than others: another one was created at the same time, has the
 * same ID but for case, or has an ID that begins with its own or the reverse; its ID has unusual characters; its list ends with it. The
 * more telling ones come first.
 */
const risks = ['twin', 'same but case', 'beginning', 'delicate', 'oldest'] as const;
type Risk = (typeof risks)[number];

/**
 * How much the deletion of one shows beside those of others, as a rank: by the risks that none of them has, and by how unlike them it
 * is. The oldest of a list always counts, unless that is left out.
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
  const [hasTwin, isOldest] = [await twinsIn(api), await oldestIn(api)];
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
      'same but case': others.some((id) => id.toLowerCase() === one.id.toLowerCase()),
      beginning: others.some((id) => id.startsWith(one.id) || one.id.startsWith(id)),
      delicate: isDelicate(one.id),
      oldest: isOldest(one),
    };
    return new Set(risks.filter((risk) => has[risk]));
  }
}

/** The weight of a risk: more than those of all later ones and of `mostElse` together. */
function weightOf(risk: Risk, mostElse: number): number {
  return (mostElse + 1) * 2 ** (risks.length - 1 - risks.indexOf(risk));
}
