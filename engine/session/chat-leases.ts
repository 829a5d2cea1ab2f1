import { Blocked } from '../verdict.ts';

/** Leases of items that serve one check at a time, such as chats. */
type Leases<Item> = {
  /** Takes all items of one of the groups once they are free. Rejects with Blocked if every group has a withdrawn item. */
  readonly leaseOneOf: (groups: readonly (readonly Item[])[]) => Promise<readonly Item[]>;
  /** Whether the item can be leased now. */
  readonly isFree: (item: Item) => boolean;
  readonly release: (item: Item) => void;
  /** Ends all leases of the item until it is restored, for that reason. Callers that can only use this item are refused. */
  readonly withdraw: (item: Item, reason: string) => void;
  /** The item can be leased again. */
  readonly restore: (item: Item) => void;
};

type Waiting<Item> = {
  readonly groups: readonly (readonly Item[])[];
  readonly grant: (group: readonly Item[]) => void;
  readonly refuse: (error: Blocked) => void;
};

/** Of the free groups, the one whose worst item is best; `missing` is the reason if no group fits at all. */
export function createLeases<Item>(badnessOf: (item: Item) => number, missing: string): Leases<Item> {
  const leased = new Set<Item>();
  const withdrawn = new Map<Item, string>();
  let waiting: readonly Waiting<Item>[] = [];

  function freeGroup(groups: readonly (readonly Item[])[]): readonly Item[] | undefined {
    const worstIn = (group: readonly Item[]): number => Math.max(...group.map(badnessOf));
    const free = groups.filter((group) => group.every((item) => !leased.has(item)));
    return free.toSorted((one, other) => worstIn(one) - worstIn(other))[0];
  }

  /** Serves callers in the order of their requests, if one of their groups is free. */
  function serve(): void {
    const stillWaiting: Waiting<Item>[] = [];
    for (const one of waiting) {
      const usable = one.groups.filter((group) => group.every((item) => !withdrawn.has(item)));
      const group = freeGroup(usable);
      if (usable.length === 0) one.refuse(new Blocked(whyNone(one.groups)));
      else if (group === undefined) stillWaiting.push(one);
      else {
        for (const item of group) leased.add(item);
        one.grant(group);
      }
    }
    waiting = stillWaiting;
  }

  function whyNone(groups: readonly (readonly Item[])[]): string {
    return groups.flat().flatMap((item) => withdrawn.get(item) ?? [])[0] ?? missing;
  }

  return {
    leaseOneOf: (groups) =>
      new Promise((grant, refuse) => {
        waiting = [...waiting, { groups, grant, refuse }];
        serve();
      }),
    isFree: (item) => !leased.has(item) && !withdrawn.has(item),
    release: (item) => {
      leased.delete(item);
      serve();
    },
    withdraw: (item, reason) => {
      withdrawn.set(item, reason);
      serve();
    },
    restore: (item) => {
      withdrawn.delete(item);
      serve();
    },
  };
}
