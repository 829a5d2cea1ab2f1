import type { Entry } from './journal.ts';
import type { State } from './state.ts';
import type { World } from '../world.ts';

/** Writes down what was accepted, and lets it take effect: the only way in which a state changes for good. */
export function record({ state, journal }: World, entry: Entry): void {
  journal.append(entry);
  applyEntry(state, entry);
}

/** Lets an entry take effect. What it names and the state does not know is passed over: such a journal is another world's. */
export function applyEntry(state: State, entry: Entry): void {
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
