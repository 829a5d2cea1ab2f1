import { sum } from '../../core/numbers.ts';
import type { Organization, Target } from '../../core/target.ts';
import { createWorldData } from '../../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../../reference/data/options.ts';
import type { WorldData } from '../../reference/data/world-data.ts';

/** A run deletes no more data sources if more than this many are declared. */
const mostDisposable = 30;

/** The data of the reference, with as many data sources that may be deleted in one organization as the target declares. */
export function standInData({ organizations }: Target, seed: number): WorldData {
  const [most = 0] = disposableCounts(organizations);
  const disposableSources = Math.min(Math.max(most, defaultDataOptions.disposableSources), mostDisposable);
  return createWorldData(seed, { ...defaultDataOptions, disposableSources });
}

/** The target of the reference with the limits of the other target and at most as many fixtures. */
export function standInTarget(reference: Target, target: Target): Target {
  const { limits, allow, organizations, billingAccounts } = target;
  const takeChats = taking(sum(organizations.map(({ chats }) => chats.length)));
  const takeAttachable = taking(sum(billingAccounts.map(({ attachable }) => attachable.length)));
  const [most = 0, ...others] = disposableCounts(organizations);
  const takeOthers = taking(sum(others));
  const [largest] = reference.organizations.toSorted(byDisposable);
  return {
    ...reference,
    limits,
    allow,
    organizations: reference.organizations.map((organization) => ({
      ...organization,
      chats: takeChats(organization.chats),
      disposableDataSources:
        organization === largest
          ? organization.disposableDataSources.slice(0, most)
          : takeOthers(organization.disposableDataSources),
    })),
    billingAccounts: reference.billingAccounts.map((account) => ({
      ...account,
      attachable: takeAttachable(account.attachable),
    })),
  };
}

/** How many data sources each organization may lose, most first. */
function disposableCounts(organizations: readonly Organization[]): readonly number[] {
  return organizations.toSorted(byDisposable).map(({ disposableDataSources }) => disposableDataSources.length);
}

function byDisposable(one: Organization, other: Organization): number {
  return other.disposableDataSources.length - one.disposableDataSources.length;
}

/** Takes the first of each list, so many in all. */
function taking(most: number): (of: readonly string[]) => readonly string[] {
  let left = most;
  return (of) => {
    const taken = of.slice(0, left);
    left -= taken.length;
    return taken;
  };
}
