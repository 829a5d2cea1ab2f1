import { applyEntry } from './apply-entry.ts';
import type { WorldData } from '../data/world-data.ts';
import type { Entry, Journal } from './journal.ts';
import type { Rules } from '../rules/rules.ts';
import { createState, type State } from './state.ts';

/** The state of a deployment that starts: what its journal holds, as far as the rules let it survive. */
export function restoreState(data: WorldData, journal: Journal, rules: Rules, now: number): State {
  const state = createState(data, journal.begunAt);
  for (const entry of journal.entries()) {
    const survived = rules.survives(entry, now - entry.at);
    if (survived !== undefined) applyEntry(state, resumed(survived, rules, now));
  }
  return state;
}

/** A response that was generating when the process ended ends when the rules say. */
function resumed(entry: Entry, rules: Rules, now: number): Entry {
  if (entry.kind !== 'message' || entry.message.finishesAt <= now) return entry;
  const { message } = entry;
  return { ...entry, message: { ...message, finishesAt: rules.finishesAfterRestart(message, now) } };
}
