import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { neverOutlastsWait } from '../shared/idle.ts';
import { keyOf } from '../shared/requests.ts';

/** Some requests without wait are held until the response is finished. */
function holding(isHeld: (request: Request, rules: Rules) => boolean): (rules: Rules) => Altered {
  return (rules) => ({
    heldMs: (wait, remainingMs, request) =>
      wait === undefined && isHeld(request, rules) ? remainingMs : rules.heldMs(wait, remainingMs, request),
  });
}

/** Messages without wait that are held in some circumstance only. */
export const heldUnaskedFaults = faultsOf({
  'messages.immediate': {
    'held-without-key': {
      sentence: 'A message without wait is held until its response is finished, if it has no key either.',
      idle: { 'key-required': ['yes'], assistant: neverOutlastsWait },
      alter: holding((request, rules) => keyOf(request, rules) === undefined),
    },
    'held-in-later-chats': {
      sentence: 'A message without wait is held until its response is finished, in every chat but the first.',
      idle: { assistant: neverOutlastsWait },
      alter: (rules) => {
        let first: string | undefined;
        return {
          ...holding(({ ids }) => ids.chatId !== first)(rules),
          onAccepted: ({ chatId }) => void (first ??= chatId),
        };
      },
    },
    'held-on-a-canary': {
      sentence:
        'A message without wait is held until its response is finished, by a new version that gets every second message.',
      idle: { assistant: neverOutlastsWait },
      alter: (rules) => {
        let messages = 0;
        return { ...holding(() => messages % 2 === 0)(rules), onAccepted: () => void (messages += 1) };
      },
    },
    'held-if-long': {
      sentence:
        'A message of more than 2,000 characters without wait is held for two seconds, because it is summarized first.',
      alter: (rules) => ({
        heldMs: (wait, remainingMs, request) =>
          wait === undefined && request.body.length > 2000 ? 2000 : rules.heldMs(wait, remainingMs, request),
      }),
    },
    'held-beside-another': {
      sentence:
        'A message without wait that arrives while another one is held finds no free slot, and is tried again two seconds later.',
      idle: { assistant: ['at-once'] },
      alter: (rules) => {
        let heldUntil = 0;
        return {
          heldMs: (wait, remainingMs, request) => {
            if (wait === undefined && request.at < heldUntil) return 2000;
            const ms = rules.heldMs(wait, remainingMs, request);
            if (wait !== undefined) heldUntil = Math.max(heldUntil, request.at + ms);
            return ms;
          },
        };
      },
    },
  },
});
