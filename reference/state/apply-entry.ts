import type { OutageKind } from '../../core/outages.ts';
import type { WorldData } from '../data/world-data.ts';
import type { World } from '../world.ts';
import type { Entry } from './journal.ts';
import { createState, type State } from './state.ts';

/** Appends an accepted write to the journal and applies it: the only way in which a state changes for good. */
export function record({ state, journal }: World, entry: Entry): void {
  journal.append(entry);
  applyEntry(state, entry);
}

/** An entry that names something unknown is ignored: its journal belongs to another world. */
function applyEntry(state: State, entry: Entry): void {
  switch (entry.kind) {
    case 'message': {
      const exchange = { ...entry.message, first: undefined };
      state.chats.get(exchange.chatId)?.exchanges.push(exchange);
      if (entry.scope !== undefined) state.exchangesByKey.set(entry.scope, exchange);
      return;
    }
    case 'key-used-up':
      state.keysUsedUp.add(entry.scope);
      return;
    case 'deletion': {
      const organization = state.organizations.get(entry.organizationId);
      const item = organization?.data.sources.find(({ id }) => id === entry.sourceId);
      if (item !== undefined) organization?.deleted.set(item.id, { item, deletedAt: entry.at });
      return;
    }
    case 'attachment':
      state.accounts.get(entry.accountId)?.attachments.push(entry.organizationId);
  }
}

/** The state of a deployment that starts, or takes over from another node: the entries of its journal that survived. */
export function restoreState(
  data: WorldData,
  { journal, rules, hooks, clock }: Omit<World, 'state'>,
  kind: OutageKind = 'restart',
): State {
  const state = createState(data, journal.begunAt);
  const now = clock.now();
  for (const entry of journal.entries()) {
    const restored = hooks.restored(entry, now - entry.at, kind);
    if (restored?.kind !== 'message' || restored.message.finishesAt <= now) {
      if (restored !== undefined) applyEntry(state, restored);
      continue;
    }
    const { message } = restored;
    const finishesAt = rules.finishesAfterOutage(message, now, kind);
    applyEntry(state, { ...restored, message: { ...message, finishesAt } });
  }
  return state;
}
