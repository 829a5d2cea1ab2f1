import { capacityKind } from './capacity.ts';
import { closedKind } from './closed.ts';
import { contentionKind } from './contention.ts';
import { flowKind } from './flow.ts';
import type { LoadKind } from './load-kind.ts';
import { longPollKind } from './long-poll.ts';
import { openKind } from './open.ts';
import { rateLimitKind } from './rate-limit.ts';

/** Every kind of load that a profile can ask for. */
export const loadKinds: readonly LoadKind[] = [
  closedKind,
  openKind,
  capacityKind,
  rateLimitKind,
  contentionKind,
  longPollKind,
  flowKind,
];
