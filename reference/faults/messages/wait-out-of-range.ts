import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { held } from './waiting.ts';

/** An illegal wait is accepted as another one. */
function accepting(isSuch: (seconds: number) => boolean, instead: number): Fault['alter'] {
  return () => ({ wait: (accepted, _request, seconds) => (isSuch(seconds) ? instead : accepted) });
}

export const waitOutOfRangeFaults = faultsOf({
  'wait.refused': {
    'wait-clamped': {
      sentence: 'A wait above 300 is replaced by 300.',
      alter: accepting((seconds) => seconds > 300, 300),
    },
    'wait-above-300-held-in-full': {
      sentence: 'A request with a wait above 300 is accepted and held for its whole wait.',
      alter: (rules) => ({
        wait: (accepted, _request, seconds) => (seconds > 300 ? seconds : accepted),
        ...held((heldMs, { waitMs }) => (waitMs > 300_000 ? waitMs : heldMs))(rules),
      }),
    },
    'wait-zero-accepted': {
      sentence: 'wait=0 is accepted.',
      alter: accepting((seconds) => seconds === 0, 0),
    },
    'wait-negative-accepted': {
      sentence: 'A negative wait is accepted.',
      alter: accepting((seconds) => seconds < 0, 0),
    },
    'wait-fraction-cut': {
      sentence: 'wait is read up to the first character that is not a digit: 1.5 and 1s are read as 1.',
      alter: () => ({ readWait: (text) => Number.parseInt(text, 10) }),
    },
    'wait-text-ignored': {
      sentence: 'A wait that is not a number is ignored.',
      alter: accepting(Number.isNaN, 0),
    },
  },
});
