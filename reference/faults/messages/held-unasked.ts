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
  },
});
