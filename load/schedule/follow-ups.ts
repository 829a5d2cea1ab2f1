import type { PlannedRequest } from './load-request.ts';

/** What earlier answers led to: a later page, the models of a data source, or a later page of those. */
const followUpKinds = ['page', 'filter', 'filtered page'] as const;
type FollowUpKind = (typeof followUpKinds)[number];

/** The requests of an entry that became possible and were not sent yet. */
export type FollowUps = {
  readonly add: (kind: FollowUpKind, request: PlannedRequest) => void;
  /** The oldest one of the next kind that has one; undefined if there is none. */
  readonly take: () => PlannedRequest | undefined;
};

/** Each kind has its turn, so that a load of a few requests sends all of them. */
export function createFollowUps(): FollowUps {
  let count = 0;
  const waiting = new Map<FollowUpKind, PlannedRequest[]>(followUpKinds.map((kind) => [kind, []]));
  return {
    add(kind, request) {
      waiting.get(kind)?.push(request);
      count += 1;
    },
    take() {
      // Most requests of a long load come here with nothing waiting.
      if (count === 0) return undefined;
      for (const [kind, requests] of waiting) {
        const request = requests.shift();
        if (request === undefined) continue;
        count -= 1;
        // The kind whose turn it was becomes the last one.
        waiting.delete(kind);
        waiting.set(kind, requests);
        return request;
      }
      return undefined;
    },
  };
}
