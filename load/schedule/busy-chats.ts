import type { Target } from '../../core/target.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { MixEntry } from '../profile/mix.ts';

/** In most loads a few messages find no idle chat; above this share a user should know how to avoid it. */
const usualShare = 0.05;

/** Why messages were not sent, and what helps. */
export type BusyChats = {
  readonly planned: (isDropped: boolean) => void;
  readonly ended: (outcome: Outcome | 'unsent') => void;
  /** A sentence, if there is something to say. */
  readonly notes: () => readonly string[];
};

export function watchBusyChats(
  { waitSeconds }: Extract<MixEntry, { operation: 'sendMessage' }>,
  { assistant }: Pick<Target, 'assistant'>,
): BusyChats {
  let planned = 0;
  let dropped = 0;
  let isResting = false;
  return {
    planned(isDropped) {
      planned += 1;
      if (isDropped) dropped += 1;
    },
    ended(outcome) {
      isResting ||= outcome === 202;
    },
    notes() {
      if (dropped <= usualShare * planned) return [];
      const rest = isResting
        ? ` A chat rests for ${assistant.timeoutSeconds} s (assistant.timeoutSeconds) after an answer 202: give sendMessage a ${waitSeconds === undefined ? '' : 'longer '}wait.`
        : '';
      return [
        `Fewer messages were sent than planned, because no chat was idle: declare more chats, or send fewer messages.${rest}`,
      ];
    },
  };
}
